# Area: toolprobe

# Why a tool could not be asked: what is wrong, then what to do.
toolprobe-missing = 没有找到 { $tool }。请安装它，或在设置中写明其位置：[tool_probe.{ $tool }] program
toolprobe-not-started = 无法启动 { $path }：{ $reason }
toolprobe-folder = 无法创建工作文件夹 { $path }：{ $reason }
toolprobe-busy = 正在用 { $tool } 探测。请一分钟后再试。
toolprobe-not-understood = { $tool } 已结束（{ $status }），但没有给出 Vacancy 能读懂的响应。请在终端中运行它查看原因；可能尚未登录。
toolprobe-stopped = { $tool } 的运行已被停止。

# `vacancy probe --tool`
toolprobe-cost = 用 { $tool } 探测一次约消耗订阅的 { $least } 至 { $most } 个输入 token（{ $path }）。
toolprobe-cost-all = 共探测 { $probes } 次，约消耗订阅的 { $least } 至 { $most } 个输入 token。
toolprobe-ask = 现在运行吗？[y/N]
toolprobe-needs-yes = 什么都没有运行。如同意消耗这些 token，请加上 --yes 重试。
toolprobe-no-targets = 设置中没有 { $tool } 的目标。请添加一个 provider = "{ $tool }" 的目标。
toolprobe-not-its-target = { $target } 不是 { $tool } 的目标。
toolprobe-fresh = { $tool } 在 { $minutes } 分钟前还在使用：它自己的日志比探测更新，而且不花 token。仍要探测请加上 --yes 重试。
toolprobe-limits-only-codex = 只有 codex 能在不消耗 token 的情况下告知限额。
toolprobe-needs-login = codex 没有用订阅登录，因此没有可读取的限额。
toolprobe-limit = { $name }：已用 { $percent }%
toolprobe-limit-resets = { $name }：已用 { $percent }%，{ $time } 重置
toolprobe-window-hours = { $n } 小时窗口
toolprobe-window-days = { $n } 天窗口
toolprobe-window = 窗口
toolprobe-models = 模型：{ $models }
