# Area: simulate

simulate-title = { $trace }: { $days } days, { $targets ->
    [one] one target
   *[other] { $targets } targets
}, every { $every }, seed { $seed }
simulate-target = Target
simulate-total = All
simulate-requests = requests a day
simulate-busiest = busiest day
simulate-tokens = tokens a day
simulate-gaps = gaps
simulate-change = change
simulate-changes = times
simulate-noticed = noticed
simulate-mean = mean delay
simulate-median = median
simulate-p90 = 90 %
simulate-worst = worst
simulate-became-busy = became busy
simulate-became-free = became free
# Counts of notices that the primary model is free again.
simulate-notices = Notices of recovery: { $right } right, { $wrong } false, { $missed } missed, { $doubled } doubled.
simulate-strategy = Strategy
simulate-adaptive = Vacancy, every { $every }
simulate-fixed = fixed, every { $every }
simulate-busy-median = busy: median
simulate-busy-worst = worst
simulate-free-median = free: median
simulate-free-worst = worst
simulate-right = notices: right
simulate-false = false
simulate-missed = missed
simulate-doubled = doubled
simulate-none = -
simulate-seconds = { $s } s
simulate-minutes = { $m } min { $s } s
simulate-hours = { $h } h { $m } min
simulate-no-zone = There is no time zone "{ $zone }". Use a name like Europe/Berlin or Asia/Shanghai.
simulate-unusable-trace = The trace { $trace } cannot be used: { $why }. See `vacancy simulate --help` for its form.

# $list: kinds of notices with their counts.
simulate-notices-own = Notices are those of your settings; rules that switch tools are not simulated.
simulate-notices-usual = Notices are the usual ones, as there are no settings; rules that switch tools are not simulated.
simulate-told = Told: { $list }
simulate-told-recovered = free again
simulate-told-full = not free
simulate-told-provider-away = provider not free
simulate-told-provider-back = provider free again
simulate-told-flapping = comes and goes
simulate-told-settled = settled
simulate-told-limited = limit reached
simulate-told-limit-reset = limit reset
simulate-told-reminder = reminder
simulate-told-summary = after quiet hours
simulate-told-other = other
