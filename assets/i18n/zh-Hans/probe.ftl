# Area: probe

# Keys that cannot be read: what is wrong, then what to do.
probe-key-env-unset = 未设置环境变量 { $name }。请设置它，或改用其他方式引用密钥。
probe-key-command-empty = 密钥命令为空。请写明程序及其参数。
probe-key-command-start = 无法启动密钥命令 { $program }（{ $reason }）。请确认已安装且位于 PATH 中。
probe-key-command-failed = 密钥命令 { $program } 失败（{ $status }）。请在终端中运行它查看原因。
probe-key-command-timeout = 密钥命令 { $program } 在 { $seconds } 秒内未结束，已被停止。请先解锁它所用的存储。
probe-key-command-output = 密钥命令 { $program } 没有输出可用的密钥。它只应输出密钥本身。
probe-key-keyring-unavailable = 没有可用的系统密钥环（{ $reason }）。请改用环境变量或命令。
probe-key-keyring-missing = 密钥环中没有条目 { $entry }。请添加该条目，或更正名称。
probe-key-tool-file = 无法读取 { $tool } 的密钥文件（{ $reason }）。请先在该工具中用 API 密钥登录：{ $path }
probe-key-tool-entry = { $tool } 中没有密钥 { $entry }。请在该工具中添加，或改用其他方式引用密钥：{ $path }
probe-key-subscription = { $tool } 使用的是订阅登录。Vacancy 绝不发送该登录令牌，请改用 API 密钥：{ $path }
probe-key-subscription-token = { $place } 中的密钥是订阅令牌。Vacancy 绝不发送订阅令牌，请改用 API 密钥。

# Faults of our own side that stop a probe.
probe-ca-file = 无法使用证书文件（{ $reason }）。请更正设置中的 ca_file：{ $path }
probe-proxy = 无法使用代理地址（{ $reason }）。请更正设置中的 proxy，例如 http://127.0.0.1:8080 或 socks5h://127.0.0.1:1080。
probe-client = 无法准备连接（{ $reason }）。

# What a user should know of a provider before watching it.
probe-note-azure = 请替换资源名；使用旧式地址时还要替换部署名。模型一栏填写部署名称。
probe-note-anthropic = 需要 API 密钥。Claude 订阅的登录令牌绝不会被发送，其状态从工具日志中读取。
probe-note-gemini = 适用于已开通计费的密钥。免费层级每天的请求数很少，请改用免费预设。
probe-note-free = 免费额度按请求次数计算，因此仅在你要求时探测。
probe-note-plan = 每次探测都会占用少量套餐额度，因此仅在你要求时探测。
probe-note-perplexity = 每次请求都包含一次收费的联网搜索，因此仅在你要求时探测。
probe-note-region = 国内站与国际站的密钥互不通用，请选择创建密钥的那个站点。
probe-note-coding-base = Coding Plan 的密钥有专用地址；用在这里会显示余额不足。
probe-note-ark = 模型一栏填写模型 ID 或推理接入点 ID（ep-…）。长时间闲置的接入点可能需要片刻唤醒。
probe-note-qianfan = 需要 v2 接口的密钥（bce-v3/…），不是旧版的 Access Key 与 Secret Key。
probe-note-relay = 中转会转发到其他服务商，每次探测按其价格计费。

# `vacancy probe`
probe-unknown-target = 没有名为“{ $target }”的目标。已有目标：{ $known }
probe-unknown-none = 没有名为“{ $target }”的目标。尚未设置任何目标，请运行 `vacancy setup`。
probe-never = { $target } 从不探测：它的状态只来自导入或日志中的响应。
probe-no-targets = 没有可探测的目标。请在设置中添加目标，或指定一个按需探测的目标。
probe-not-recorded = { $count } 个结果未能写入记录：{ $reason }
probe-first-token = 首个 token 用时 { $seconds } 秒
probe-total = 共 { $seconds } 秒
probe-rule = 规则 { $rule }
probe-wait-helps = 等待有用
probe-switch-helps = 换用其他模型可能有用
probe-retry-seconds = { $n } 秒后重试
probe-retry-minutes = { $n } 分钟后重试
probe-retry-hours = { $n } 小时后重试
