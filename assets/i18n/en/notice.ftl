# Area: notice. What the user is told, on the desktop and in Activity. Summaries are one short line; bodies are made of
# one or two of the sentences below.

# Stands between two sentences.
notice-between = {" "}

# $model: a model's name, here and below.
notice-recovered = { $model } is free again
# $span: a length such as "25 min".
notice-after = It was not free for { $span }.
notice-after-unseen = It was not free when it was last seen.
# $n: free times in the record that began at this hour.
notice-usually = At this hour it usually stays free for about { $span } (n = { $n }).

notice-full = { $model } is full
notice-fault = { $model } is failing
notice-away = { $model } is not free
# $kind: "Server error" and the like.
notice-kind = { $kind }.
notice-free = { $model } is free.
notice-none-free = No other model of your chain is known to be free.

# $n: how many models.
notice-provider-away = { $provider }: { $n } models are not free
notice-provider-back = { $provider }: { $n } models are free again
# $models: names with commas.
notice-models = { $models }.

notice-flapping = { $model } comes and goes
# $time: a time of day, with the day when that is not today.
notice-flapping-changes = { $n } changes since { $time }.
notice-flapping-quiet = You hear of it again when it has settled.
notice-settled-free = { $model } has settled: free
notice-settled-away = { $model } has settled: not free
notice-settled-since = So since { $time }.

notice-limited = { $model }: your limit is reached
notice-limited-resets = Your window resets at { $time }.
notice-limited-unknown = When it resets was not told.
notice-limit-reset = { $model }: your limit has reset
notice-limit-reset-body = Your window has started anew.

notice-reminder = { $model } is still not free
notice-reminder-since = Not free since { $time }.

notice-summary = Since { $time } you were not disturbed
notice-summary-back = Free again: { $models }.
notice-summary-away = Not free now: { $models }.

notice-busy-soon = { $model } is usually busy from { $time }

# $tool: a coding tool's name.
notice-ask-switch = Switch { $tool } to { $model }?
notice-switched = { $tool } uses { $model } now
notice-refused = { $tool } was not switched
notice-refused-all = Nothing was switched
notice-undone = { $tool } is switched back
notice-refused-not-free = { $model } is not free any more.
notice-refused-none-free = The model is not free any more.
notice-refused-changed-to = It uses { $model }, which somebody else chose. That was left alone.
notice-refused-changed = It was changed by somebody else. That was left alone.
notice-refused-no-tool = No tool here uses a model of the chain that could be changed for this one.
# $kind: "At capacity" and the like.
notice-why-away = { $model }: { $kind }.
notice-why-back = { $model } is free since { $time }.
notice-why-busy-soon = { $model } is usually busy from { $time }.
notice-why-undo = It uses { $model } again.

# What stands there where a desktop shows no buttons. $labels: what they would say.
notice-without-buttons = In Vacancy: { $labels }.

# Labels of buttons.
notice-use = Use { $model } now
notice-switch-back = Switch back to { $model }
notice-undo = Undo
notice-snooze = Snooze for { $span }

# Beside a model of which nothing is said. $time: a time of day.
notice-snoozed-until = snoozed until { $time }
