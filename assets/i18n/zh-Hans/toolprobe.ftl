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

# 允许询问订阅工具的面板
toolprobe-panel-title = 询问你订阅的工具
toolprobe-panel-words = Vacancy 从不自己使用套餐的登录。可以改为询问套餐自带的工具：在一个空文件夹里提一个简短的问题。这会消耗套餐的 token，所以每个工具在你打开之前都是关闭的。
toolprobe-panel-looking = 正在查找工具…
toolprobe-panel-none = 这台电脑上没有找到任何工具
toolprobe-panel-missing = 这台电脑上没有找到：{ $tools }
toolprobe-panel-off = 未打开
toolprobe-panel-on = 已打开：每天最多 { $daily } 次，距最新证据 { $every }
toolprobe-panel-no-target = 未打开，没有监视它的任何模型
toolprobe-panel-cost = 一次探测：{ $least } 到 { $most } 个输入 token。每天最多 { $daily } 次：每天最多 { $day } 个 token。
toolprobe-panel-enable = 打开…
toolprobe-panel-disable = 关闭
toolprobe-panel-ask = 让 Vacancy 自动询问 { $tool } 吗？一天探测 { $daily } 次会消耗你的套餐 { $least } 到 { $most } 个 token。你的会话活动后 { $fresh } 分钟内不会询问，达到上限后在重置之前也不会询问。
toolprobe-panel-ask-once = 就 { $model } 询问 { $tool } 一次吗？这会消耗你的套餐 { $least } 到 { $most } 个 token。
toolprobe-panel-yes = 打开
toolprobe-panel-yes-once = 探测一次
toolprobe-panel-no = 取消
toolprobe-panel-close = 关闭窗口
toolprobe-panel-button = 工具探测…
toolprobe-panel-enabled = 从现在起会自动询问 { $tool }
toolprobe-panel-disabled = 不再自动询问 { $tool }
toolprobe-in-use = { $tool } 在 { $minutes } 分钟前还在使用：它自己的日志比探测更新，而且免费。所以没有询问。
