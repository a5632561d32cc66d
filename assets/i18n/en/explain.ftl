# What errors mean and what to do: `vacancy explain` and the window's detail panel.

explain-available-meaning = The model answered. Nothing is wrong.
explain-available-next = Use it.
explain-at_capacity-meaning = The provider has no room for this model right now. It is their load: not your limit, not your key, not your configuration.
explain-at_capacity-next = Wait a little, or use another model meanwhile. Changing settings will not help.
explain-rate_limited-meaning = You sent more than your limit for a short window, such as requests or tokens a minute. The model itself may be free.
explain-rate_limited-next = Pause and send less at once. Ask the provider for a higher limit if this keeps happening.
explain-usage_limit-meaning = A window of your plan (hours, a day, a week) is used up. The model itself may be free.
explain-usage_limit-next = Wait for the window to reset, or work with another provider or key until then.
explain-quota_exhausted-meaning = The account's money, credit, trial or long quota is used up.
explain-quota_exhausted-next = Top up, raise the spending limit, or use another account. Some daily quotas come back by themselves.
explain-auth-meaning = The key is missing, wrong or expired.
explain-auth-next = Check which key is sent and to which address. Sign in again, or make a new key.
explain-forbidden-meaning = The key is valid, but this use is not allowed: by region, plan, client, permission, or a guard in front of the service.
explain-forbidden-next = Check the account's permissions and plan, and from where you connect.
explain-model_not_found-meaning = The provider does not serve a model of this name here: misspelt, retired, not enabled for you, or not for this kind of request.
explain-model_not_found-next = Check the name against the provider's list, enable the model, or choose another.
explain-bad_request-meaning = The request is wrong or too long for this model. The model is not down.
explain-bad_request-next = Change the request: shorten it, or drop what the model does not take. Sending it again as it is will fail again.
explain-content_filtered-meaning = A policy blocked the question or the answer. The model is not down.
explain-content_filtered-next = Rephrase the request.
explain-misconfigured-meaning = The address, path, API version or a setting is wrong: what answered is not the API that was meant.
explain-misconfigured-next = Check the base URL and the kind of API in the settings.
explain-server_error-meaning = Something broke on the provider's side. It is not your configuration.
explain-server_error-next = Try again shortly. If it goes on, look at the provider's status page or use another model.
explain-timeout-meaning = No answer came in time.
explain-timeout-next = Try again shortly. If only this provider is slow, use another meanwhile.
explain-network-meaning = The request did not reach the provider: name lookup, connection, certificate, proxy or a network's login page. It says nothing about the model.
explain-network-next = Check this machine's connection, VPN and proxy. For a model on this machine, start its server.
explain-unrecognized-meaning = The answer matches nothing known, so nothing is claimed about the model.
explain-unrecognized-next = Read the raw answer. A rule of your own in the settings file can teach Vacancy to understand it.
explain-skipped-meaning = No request was made: this machine was offline, asleep or paused.
explain-skipped-next = Nothing to do.

explain-headline = { $kind } · { $scope }
explain-label-whose = Whose
explain-label-next = Next
explain-label-wait = Waiting
explain-label-switch = Switching
explain-label-when = Try again
explain-label-rule = Rule
explain-label-evidence = Evidence

explain-whose-nobody = Nobody's: all is well.
explain-whose-unknown = Not known.
explain-whose-theirs = The provider's.
explain-whose-account = Your account's, not the model's.
explain-whose-request = Yours to correct: the request or a setting.
explain-whose-machine = This machine's or its network's.

explain-wait-yes = Helps.
explain-wait-no = Does not help.
explain-switch-yes = Another model of the same provider is likely to work.
explain-switch-no = Another model on the same account is no better off.
explain-switch-provider = Other models of this provider are likely to meet the same.
explain-switch-machine = Another model is likely to meet the same.
explain-switch-request = Only a model that takes such a request, for instance a longer one.

explain-when-now = Now.
explain-when-hint = In { $span }, as the answer says.
explain-when-long = In { $span }, as the answer says. It may come back earlier: look every half hour.
explain-when-soon = In 30 seconds; then at growing intervals, up to five minutes.
explain-when-reset = At the reset, which the answer does not tell: look every half hour.
explain-when-fixed = After it is corrected.
explain-when-unknown = At the usual interval.

explain-span-days = { $count } d
explain-span-hours = { $count } h
explain-span-minutes = { $count } min
explain-span-seconds = { $count } s

explain-shape-answered = text, reasoning, a tool call, or an end that counts tokens
explain-shape-refusal-as-answer = the whole answer is a known refusal sentence
explain-shape-answer-filtered = nothing came, and the finish reason names a policy
explain-shape-finish-failed = nothing came, and the finish reason names a fault
explain-shape-response-failed = an error event that says nothing more
explain-shape-empty-body = a success status with nothing behind it
explain-shape-ended-before-output = the answer ended before any output
explain-shape-only-keep-alive = only keep-alive comments came
explain-shape-stalled = a deadline passed after the status line, before any output
explain-shape-cut = the connection was lost before any output
explain-shape-daily-window = a limit of a day, with no wait stated or more than an hour
explain-shape-unrecognized = nothing matched

explain-evidence-names = code or type
explain-evidence-parts = code or type with
explain-evidence-texts = text
explain-evidence-also = and text
explain-evidence-unless = but not
explain-evidence-providers = provider
explain-evidence-statuses = status

explain-no-input = Nothing to explain. Give the error as arguments, with --file, or on standard input.
explain-unknown-dialect = There is no dialect “{ $name }”, so none is assumed. Known are: { $known }
explain-no-file = Cannot read { $path }: { $reason }
