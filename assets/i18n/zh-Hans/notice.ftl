# Area: notice. What the user is told, on the desktop and in Activity. Summaries are one short line; bodies are made of
# one or two of the sentences below.

# Stands between two sentences.
notice-between = {""}

# $model: a model's name, here and below.
notice-recovered = { $model } 又可用了
# $span: a length such as "25 min".
notice-after = 此前有 { $span }不可用。
notice-after-unseen = 上次看到时它还不可用。
# $n: free times in the record that began at this hour.
notice-usually = 这个时段通常能持续可用约 { $span }（n = { $n }）。

notice-full = { $model } 已满载
notice-fault = { $model } 出现故障
notice-away = { $model } 不可用
# $kind: "Server error" and the like.
notice-kind = { $kind }。
notice-free = { $model } 现在可用。
notice-none-free = 你的备用链中没有其他已知可用的模型。

# $n: how many models.
notice-provider-away = { $provider }：{ $n } 个模型不可用
notice-provider-back = { $provider }：{ $n } 个模型又可用了
# $models: names with commas.
notice-models = { $models }。

notice-flapping = { $model } 时好时坏
# $time: a time of day, with the day when that is not today.
notice-flapping-changes = 自 { $time } 起变化了 { $n } 次。
notice-flapping-quiet = 稳定后会再通知你。
notice-settled-free = { $model } 已稳定：可用
notice-settled-away = { $model } 已稳定：不可用
notice-settled-since = 自 { $time } 起如此。

notice-limited = { $model }：你的额度已用完
notice-limited-resets = 你的额度将在 { $time } 重置。
notice-limited-unknown = 重置时间未知。
notice-limit-reset = { $model }：你的额度已重置
notice-limit-reset-body = 你的额度时段已重新开始。

notice-reminder = { $model } 仍不可用
notice-reminder-since = 自 { $time } 起不可用。

notice-summary = 自 { $time } 起未打扰你
notice-summary-back = 又可用了：{ $models }。
notice-summary-away = 现在不可用：{ $models }。

notice-busy-soon = { $model } 通常从 { $time } 起繁忙

# $tool: a coding tool's name.
notice-ask-switch = 将 { $tool } 切换到 { $model }？
notice-switched = { $tool } 现在使用 { $model }
notice-refused = { $tool } 未切换
notice-refused-all = 没有切换任何工具
notice-undone = { $tool } 已切回
notice-refused-not-free = { $model } 已不再可用。
notice-refused-none-free = 该模型已不再可用。
notice-refused-changed-to = 它正在使用由他人选择的 { $model }，因此未作改动。
notice-refused-changed = 它已被他人更改，因此未作改动。
notice-refused-no-tool = 这里没有工具在使用链中可以换成它的模型。
# $kind: "At capacity" and the like.
notice-why-away = { $model }：{ $kind }。
notice-why-back = { $model } 自 { $time } 起可用。
notice-why-busy-soon = { $model } 通常从 { $time } 起繁忙。
notice-why-undo = 它又在使用 { $model }。

# What stands there where a desktop shows no buttons. $labels: what they would say.
notice-without-buttons = 在 Vacancy 中：{ $labels }。

# Labels of buttons.
notice-use = 立即使用 { $model }
notice-switch-back = 切回 { $model }
notice-undo = 撤销
notice-snooze = 暂停提醒 { $span }

# Beside a model of which nothing is said. $time: a time of day.
notice-snoozed-until = 提醒暂停至 { $time }
