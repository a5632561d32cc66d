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

# Faults of our own side that stop a probe.
probe-ca-file = 无法使用证书文件（{ $reason }）。请更正设置中的 ca_file：{ $path }
probe-proxy = 无法使用代理地址（{ $reason }）。请更正设置中的 proxy，例如 http://127.0.0.1:8080 或 socks5h://127.0.0.1:1080。
probe-client = 无法准备连接（{ $reason }）。
