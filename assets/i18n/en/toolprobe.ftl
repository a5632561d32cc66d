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
