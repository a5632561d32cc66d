# 窗口之外的通知：桌面、钩子、Webhook，以及对它们的测试。

notify-test = 测试通知
notify-test-body = Vacancy 的通知会显示在这里。
notify-test-button = 收到
notify-test-without-buttons = 这个桌面不显示按钮。可以在“动态”里操作通知。
notify-test-desktop = 桌面：{ $name } 已显示
notify-test-desktop-plain = 桌面：{ $name } 已显示，但它没有按钮；请在“动态”里操作通知
notify-test-desktop-failed = 桌面：{ $reason }
notify-test-answered = 桌面：按钮已被点击
notify-test-hook = 钩子：{ $program } 运行了 { $milliseconds } 毫秒
notify-test-hook-failed = 钩子：{ $reason }
notify-test-no-hook = 钩子：设置里没有
notify-test-webhook = Webhook：已接受，状态码 { $status }
notify-test-webhook-failed = Webhook：{ $reason }
notify-test-no-webhook = Webhook：设置里没有
notify-test-sending = 正在发送测试通知…
notify-test-running = 已有一条测试通知正在发送
notify-test-settings = 无法读取设置；请看 `vacancy doctor`

notify-no-bus = 没有会话总线（{ $reason }）。请在桌面会话里启动 Vacancy
notify-no-service = 没有显示通知的程序（{ $reason }）。请启动一个，例如 dunst 或 mako
notify-hangs = 显示通知的程序没有回应。请重新启动它
notify-died = 显示通知的程序退出了。请再试一次
notify-refused = 显示通知的程序拒绝了（{ $reason }）。它自己的日志里可能有原因

notify-hook-missing = 找不到 { $program }。请在 [notices] hook 里写完整路径
notify-hook-not-started = 无法启动 { $program }（{ $reason }）。请检查它是否可以运行
notify-hook-failed = { $program } 失败（{ $status }）：{ $output }
notify-hook-slow = { $program } 在 { $seconds } 秒内没有结束，已被终止。请设置更长的 timeout，或让它更快
notify-hook-loud = { $program } 的输出超过 { $kib } KiB，已被终止。请让它少输出一些
notify-hook-stopped = { $program } 随 Vacancy 一起被终止

notify-webhook-no-address = 无法读取它的地址：{ $reason }
notify-webhook-bad-address = 保存的内容不是 http 或 https 地址。请检查保存的地方
notify-webhook-wrong-form = 对 { $form } 来说它的地址不完整。ntfy 的地址以主题结尾，Telegram 的地址要有 ?chat_id=
notify-webhook-unreachable = 无法连接（{ $reason }）。请检查网络和地址
notify-webhook-broken = 连接中断（{ $reason }）。通知也许已经送到
notify-webhook-timeout = { $seconds } 秒内没有回应。通知也许已经送到
notify-webhook-refused = 被拒绝（状态码 { $status }）：{ $why }
notify-webhook-refused-silently = 被拒绝（状态码 { $status }）。请检查地址和机器人的安全设置
notify-webhook-busy = 试了 { $tries } 次仍然繁忙（状态码 { $status }）。请等一分钟再试
notify-webhook-client = 没有 HTTP 客户端（{ $reason }）。请看 `vacancy doctor`
