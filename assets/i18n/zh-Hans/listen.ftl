# vacancy listen
listen-cannot-read = 无法读取 { $path }：{ $reason }。
listen-unknown-form = 这不是已知的日志；如果确实是，请用 --tool 指明工具
listen-nothing-of-tool = 其中没有找到 { $tool } 的内容
listen-nothing = 在这个主目录中没有找到编程工具的日志。
listen-done = 已读取 { $files } 个日志：共 { $observations } 次请求，新记录 { $stored } 条，已有 { $known } 条，略过 { $leftout } 条（没有模型、没有时间或太旧）。
listen-unreadable = 有 { $unreadable } 个日志无法读取，下次会再试。
listen-limit = { $tool }：{ $hours } 小时额度已用 { $used } %，将于 { $at } 重置。
