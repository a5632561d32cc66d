# Area: probe

# Keys that cannot be read: what is wrong, then what to do.
probe-key-env-unset = The variable { $name } is not set. Set it, or refer to the key another way.
probe-key-command-empty = The key command is empty. Name a program and its arguments.
probe-key-command-start = The key command { $program } could not be started ({ $reason }). Check that it is installed and on the PATH.
probe-key-command-failed = The key command { $program } failed ({ $status }). Run it in a terminal to see why.
probe-key-command-timeout = The key command { $program } did not finish in { $seconds } s and was stopped. Unlock its store first.
probe-key-command-output = The key command { $program } printed no usable key. It must print the key alone.
probe-key-keyring-unavailable = No keyring is available ({ $reason }). Use an environment variable or a command instead.
probe-key-keyring-missing = The keyring has no entry { $entry }. Add it, or correct the name.
probe-key-tool-file = The key file of { $tool } cannot be read ({ $reason }). Sign in there with an API key first: { $path }
probe-key-tool-entry = { $tool } keeps no key { $entry }. Add one there, or refer to the key another way: { $path }
probe-key-subscription = { $tool } is signed in with a subscription. Vacancy never sends that login; use an API key: { $path }
probe-key-subscription-token = The key in { $place } is the token of a subscription. Vacancy never sends that; use an API key.

# Faults of our own side that stop a probe.
probe-ca-file = The certificate file cannot be used ({ $reason }). Correct ca_file in the settings: { $path }
probe-proxy = The proxy address cannot be used ({ $reason }). Correct proxy in the settings, for example http://127.0.0.1:8080 or socks5h://127.0.0.1:1080.
probe-client = The connection could not be prepared ({ $reason }).

# What a user should know of a provider before watching it.
probe-note-azure = Replace the resource and, in the older address, the deployment. The model is the deployment's name.
probe-note-anthropic = This needs an API key. A Claude subscription's login is never sent; its state is read from the tool's logs.
probe-note-gemini = For keys with billing. A key on the free tier has few requests a day: choose the free preset for it.
probe-note-free = The free allowance counts every request, so it is probed only when you ask.
probe-note-plan = Each probe uses a little of the plan's allowance, so it is probed only when you ask.
probe-note-perplexity = Each request includes a paid web search, so it is probed only when you ask.
probe-note-region = Keys of the Chinese and the international site are not the same: choose the one where yours was made.
probe-note-coding-base = A Coding Plan key has its own address; here it would look as if there were no balance.
probe-note-ark = The model is a model id or an endpoint id (ep-…). An endpoint that was idle may need a moment to wake up.
probe-note-qianfan = This needs a key of the v2 API (bce-v3/…), not the older pair of access keys.
probe-note-relay = A relay forwards to other providers: each probe costs what they charge.

# `vacancy probe`
probe-unknown-target = There is no target “{ $target }”. Known are: { $known }
probe-unknown-none = There is no target “{ $target }”. None is set up yet: run `vacancy setup`.
probe-never = { $target } is never probed: it is known from imported or logged answers alone.
probe-no-targets = There is nothing to probe. Add a target to the settings, or name one that is probed on demand.
probe-not-recorded = { $count ->
    [one] { $count } result is not in the record
   *[other] { $count } results are not in the record
}: { $reason }
probe-first-token = first token after { $seconds } s
probe-total = { $seconds } s in all
probe-rule = rule { $rule }
probe-wait-helps = waiting helps
probe-switch-helps = another model may work
probe-retry-seconds = try again in { $n } s
probe-retry-minutes = try again in { $n } min
probe-retry-hours = try again in { $n } h
