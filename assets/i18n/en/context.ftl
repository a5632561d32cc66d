# Area: context. What others say of a target: status pages and OpenRouter's statistics.

context-heading = Others say, not counted
context-page = Status page
context-openrouter = OpenRouter
context-checked = { $words }, checked { $time }
context-good = { $n ->
    [one] operational
   *[other] all { $n } parts operational
}
context-good-missing = { $n ->
    [one] 1 part operational, but “{ $names }” is not on the page any more
   *[other] { $n } parts operational, but “{ $names }” is not on the page any more
}
context-nothing-reported = no trouble reported
context-part = { $name }: { $status }
context-status = { $word ->
    [degraded_performance] degraded
    [partial_outage] partial outage
    [major_outage] major outage
    [full_outage] full outage
    [under_maintenance] maintenance
    [service_disruption] disrupted
    [service_outage] outage
    [service_information] has a notice
    [in_progress] maintenance
   *[other] { $word }
}
context-upstreams = { $n ->
    [one] { $percent } % up in the last 30 min on 1 upstream, rate limits left out
   *[other] { $percent } % up in the last 30 min over { $n } upstreams, rate limits left out
}
context-upstreams-failing = { $words }; { $failing } of { $listed } failing
context-upstreams-unmeasured = { $n ->
    [one] 1 upstream without figures
   *[other] { $n } upstreams without figures
}
context-link = only for people: { $address }
context-silent-not-asked = not asked yet
context-silent-no-answer = unknown: no answer
context-silent-moved = unknown: the page has moved
context-silent-not-understood = unknown: the answer cannot be read
context-silent-no-such-part = unknown: it names no part that this depends on

# How much of a plan's or a key's limit is used
context-limit-label = Your limit
context-limit = { $window }: { $percent } % used
context-limit-resets = { $window }: { $percent } % used, resets { $time }
context-span-minutes = { $n }-minute window
context-span-hours = { $n }-hour window
context-span-days = { $n }-day window
context-span-day = daily window
context-span-week = weekly window
context-span-plan = plan
context-span-requests = request limit
context-span-tokens = token limit
context-sessions-label = Sessions
context-sessions = { $n ->
    [one] 1 session of yours is running
   *[other] { $n } sessions of yours are running
}
context-advice-near = { $window }: { $percent } % used
context-advice-resets = resets { $time }
context-advice-sessions = { $n } sessions run; { $advice }
context-advice-left = { $left } left
