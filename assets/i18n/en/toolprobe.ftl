# Area: toolprobe

# Why a tool could not be asked: what is wrong, then what to do.
toolprobe-missing = { $tool } was not found. Install it, or name it in the settings: [tool_probe.{ $tool }] program
toolprobe-not-started = { $path } could not be started: { $reason }
toolprobe-folder = The working folder { $path } could not be made: { $reason }
toolprobe-busy = { $tool } is being probed already. Try again in a minute.
toolprobe-not-understood = { $tool } ended ({ $status }) without an answer that Vacancy understands. Run it in a terminal to see why; it may not be signed in.
toolprobe-stopped = The run of { $tool } was stopped.

# `vacancy probe --tool`
toolprobe-cost = One probe by { $tool } costs about { $least } to { $most } input tokens of your plan ({ $path }).
toolprobe-cost-all = { $probes ->
    [one] 1 probe, about { $least } to { $most } input tokens of your plan.
   *[other] { $probes } probes, about { $least } to { $most } input tokens of your plan together.
}
toolprobe-ask = Run it now? [y/N]
toolprobe-needs-yes = Nothing was run. Repeat with --yes to spend these tokens.
toolprobe-no-targets = There is no target of { $tool } in the settings. Add one with provider = "{ $tool }".
toolprobe-not-its-target = { $target } is not a target of { $tool }.
toolprobe-fresh = { $tool } was in use { $minutes } min ago: its own log is newer than a probe, and free. Repeat with --yes to probe all the same.
toolprobe-limits-only-codex = Only codex tells its limits without spending tokens.
toolprobe-needs-login = codex is not signed in with a plan, so there are no limits to read.
toolprobe-limit = { $name }: { $percent } % used
toolprobe-limit-resets = { $name }: { $percent } % used, resets { $time }
toolprobe-window-hours = { $n ->
    [one] 1-hour window
   *[other] { $n }-hour window
}
toolprobe-window-days = { $n ->
    [one] 1-day window
   *[other] { $n }-day window
}
toolprobe-window = Window
toolprobe-models = Models: { $models }

# The panel in which subscriptions' tools are allowed to be asked
toolprobe-panel-title = Ask your subscription's tools
toolprobe-panel-words = Vacancy never uses a plan's login itself. The plan's own tool can be asked instead: one short question, in an empty folder. That spends tokens of your plan, so each tool is off until you switch it on.
toolprobe-panel-looking = Looking for tools…
toolprobe-panel-none = None of the tools was found on this machine
toolprobe-panel-missing = Not found on this machine: { $tools }
toolprobe-panel-off = Off
toolprobe-panel-on = On: { $daily ->
    [one] at most once a day, { $every } after the newest evidence
   *[other] at most { $daily } times a day, { $every } after the newest evidence
}
toolprobe-panel-no-target = Off, none of its models is watched
toolprobe-panel-cost = One probe: { $least } to { $most } input tokens. { $daily ->
    [one] At most 1 a day: up to { $day } tokens a day.
   *[other] At most { $daily } a day: up to { $day } tokens a day.
}
toolprobe-panel-enable = Switch on…
toolprobe-panel-disable = Switch off
toolprobe-panel-ask = Let Vacancy ask { $tool } by itself? This spends { $least } to { $most } tokens of your plan on a day with { $daily ->
    [one] 1 probe
   *[other] { $daily } probes
}. It is not asked within { $fresh } min of a session of yours, nor before a reached limit resets.
toolprobe-panel-ask-once = Ask { $tool } for { $model } once? This spends { $least } to { $most } tokens of your plan.
toolprobe-panel-yes = Switch on
toolprobe-panel-yes-once = Probe once
toolprobe-panel-no = Cancel
toolprobe-panel-close = Close
toolprobe-panel-button = Tool probes…
toolprobe-panel-enabled = { $tool } is asked by itself from now on
toolprobe-panel-disabled = { $tool } is no longer asked by itself
toolprobe-in-use = { $tool } was in use { $minutes } min ago: its own log is newer than a probe, and free. It was not asked.
