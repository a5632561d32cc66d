# 领域：settings。vacancy.toml 里哪里有误，以及怎么改。

settings-error = 错误
settings-warning = 警告
settings-then = 。{ $hint }

settings-noun-provider = 服务商
settings-noun-target = 目标
settings-noun-chain = 链
settings-noun-rule = 规则
settings-noun-preset = 预设
settings-noun-tool = 工具
settings-noun-dialect = 接口类型
settings-noun-value = 取值

settings-shape-text = 带引号的文本
settings-shape-number = 整数
settings-shape-decimal = 数字
settings-shape-switch = true 或 false
settings-shape-texts = 文本列表，例如 ["a", "b"]
settings-shape-numbers = 整数或整数列表
settings-shape-table = 表
settings-shape-tables = 表的列表，每个以双方括号开头
settings-shape-duration = 带引号的时长，例如 "10m"
settings-shape-key = 对密钥的引用
settings-shape-cap = 每日上限

settings-gone = { $path } 不存在（或已被删除）。之前读取的设置继续有效：请恢复该文件，或运行 `vacancy setup` 来生成
settings-missing = 没有这个设置文件
settings-not-a-file = 设置文件不是普通文件，因此未读取。请换成一个文本文件
settings-too-large = 设置文件大于 { $most } MiB，因此未读取。请换成较小的文件
settings-control = `{ $key }` 不能含有换行符或其他控制字符
settings-unreadable = 无法读取设置文件：{ $reason }
settings-syntax = 不是有效的 TOML：{ $detail }
settings-unknown-key-top = 未知的表或键 `{ $key }`
settings-unknown-key = { $place } 中有未知的键 `{ $key }`
settings-missing-key = { $place } 缺少 `{ $key }`
settings-wrong-type = `{ $key }` 应为{ $expected }
settings-empty = `{ $key }` 不能为空
settings-unknown-name = 未知的{ $noun } `{ $name }`
settings-duplicate = { $noun } `{ $id }` 已在第 { $line } 行出现
settings-reserved = `{ $id }` 也代表该工具自己的订阅，两者的记录会混在一起
settings-twice-in-chain = 链 `{ $chain }` 两次列出了目标 `{ $target }`
settings-two-primaries = `{ $first }` 和 `{ $second }` 都是主用
settings-two-primaries-in = 链 `{ $chain }` 有两个主用目标：`{ $first }` 和 `{ $second }`
settings-bad-url = `{ $url }` 不是可用的地址
settings-plain-http = 密钥会以明文发往 { $host }
settings-key-literal = 文件里直接写了密钥或密码
settings-key-form = `key` 必须且只能指明一处
settings-webhook-address = Webhook 地址属于密钥，不能直接写在文件里；或者它不是地址
settings-bad-variable = `{ $name }` 不是环境变量名
settings-bad-header = `{ $name }` 不是可以发送的请求头
settings-bad-duration = `{ $text }` 不是时长
settings-out-of-range = `{ $key }` 不能是 { $value }
settings-zero-cap = 每日上限为 0 就完全无法探测
settings-disorder = `{ $low }` 不能大于 `{ $high }`
settings-bad-listen = `{ $address }` 不是可以监听的地址
settings-bad-zone = 未知的时区 `{ $zone }`
settings-bad-hours = “{ $hours }”不是有效的安静时段
settings-hurried = 每 { $every } 一次过于频繁：服务商可能介意，也要花钱
settings-short-hold = 等待时间 { $hold } 太短：模型每变一次，工具就可能来回切换
settings-others-chain = 链 `{ $chain }` 是给 { $owner } 用的，{ $tool } 只能使用两者都能访问的模型
settings-idle = 没有 `{ $needs }`，`{ $key }` 不起作用

settings-hint-nearest = 是不是 `{ $name }`？
settings-hint-known = 可用的有 { $names }
settings-hint-range = 可取 { $least } 到 { $most }
settings-hint-missing = 启动一次 Vacancy，或运行 `vacancy setup` 来生成
settings-hint-url = 请写成 https://api.example.com/v1 的形式，不带问号和密码；代理也可以是 socks5h://HOST:PORT
settings-hint-plain-http = 请改用 https，或使用本机上的服务
settings-hint-key-literal = 请把密钥放进环境变量，并写 key = {"{"} env = "名称" {"}"}
settings-hint-webhook-address = 请把它放进环境变量，并写 url = {"{"} env = "名称" {"}"}
settings-hint-key-form = 请写以下之一：{"{"} env = "名称" {"}"}、{"{"} command = ["程序", "参数"] {"}"}、{"{"} keyring = "条目" {"}"}、{"{"} tool = "codex" {"}"}
settings-hint-cap = 请写 144，或 {"{"} requests = 144, tokens = 9000 {"}"}
settings-hint-duration = 请写成 "90s"、"10m" 或 "1h30m"
settings-hint-preset = 也可以写预设，例如 preset = "openai"
settings-hint-zero-cap = 请改为在目标上写 probing = "never"
settings-hint-reserved = 请换一个名字；目标可以直接引用该订阅，无需服务商表
settings-hint-two-primaries = 请把其中一个改为备用
settings-hint-listen = 请写 "127.0.0.1:9464"、"[::1]:9464"，或只写端口
settings-hint-zone = 请写成 "Asia/Shanghai" 或 "system"
settings-hint-hours = 请写两个不同的时刻，例如 "22:00-07:00"；需要时在前面写星期几："mon-fri 22:00-07:00"。
settings-hint-variable = 只能用字母、数字和下划线，例如 OPENAI_API_KEY
settings-hint-hurried = 一分钟或更长才算礼貌
settings-hint-short-hold = 五分钟或更长才稳妥；通常是 20m
settings-hint-others-chain = 删掉 `chain`，即使用 { $tool } 自己的链或主链；也可以改用一条没有 `tool` 的链
settings-hint-idle = 把后者设为 "ask" 或 "auto"，或者删掉这一行
settings-rule-id = 规则名 `{ $id }` 含有不允许的字符
settings-rule-evidence = 规则 `{ $id }` 没有任何依据，会匹配一切
settings-rule-value = `{ $key }` 不可能是 `{ $value }`
settings-rule-regex = `regex` 不是正则表达式：{ $reason }
settings-rule-kind = `kind` 不能是 `{ $kind }`：规则只读取回答
settings-key-entry = `{ $tool }` 存有多个密钥，但没有指明哪一个
settings-hint-rule-id = 只能用小写字母、数字和连字符，例如 my-relay-full
settings-hint-rule-evidence = 请加上 status、code、type、text 或 regex
settings-hint-key-entry = 请在斜杠后写明，例如 opencode/deepseek

# 为什么没有写入文件。
settings-write-changed = 设置文件在读取之后被改动过。请重新载入再试：{ $path }
settings-write-exists = 已有设置文件，不会覆盖它：{ $path }。请在“设置”（Ctrl+7）的“服务商”中添加模型
settings-write-invalid = 改动会使设置无效，因此没有写入。{ $first }
settings-write-not-found = 设置文件里没有 { $what } `{ $id }`。请重新载入再试。
settings-write-unfaithful = 设置文件里 `{ $what }` 的写法无法由程序改动，请手工修改。
settings-write-io = 无法写入设置文件（{ $reason }）。请检查文件夹权限和剩余空间：{ $path }
