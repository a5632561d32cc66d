# What errors mean and what to do: `vacancy explain` and the window's detail panel.

explain-available-meaning = 模型已正常应答，一切正常。
explain-available-next = 直接使用即可。
explain-at_capacity-meaning = 服务商目前没有余力运行该模型。这是对方负载过高，与你的限额、密钥和配置无关。
explain-at_capacity-next = 稍等片刻，或先换用其他模型。修改配置没有用。
explain-rate_limited-meaning = 短时间内的用量超过了你的限额，例如每分钟的请求数或 token 数。模型本身可能是空闲的。
explain-rate_limited-next = 暂停一下，减少并发。如果经常出现，可向服务商申请提高限额。
explain-usage_limit-meaning = 套餐的某个时段额度（数小时、每天或每周）已用完。模型本身可能是空闲的。
explain-usage_limit-next = 等待额度重置，期间可使用其他服务商或密钥。
explain-quota_exhausted-meaning = 账户的余额、赠金、试用额度或长期配额已用完。
explain-quota_exhausted-next = 充值、提高消费上限，或换用其他账户。部分每日配额会自动恢复。
explain-auth-meaning = 密钥缺失、错误或已过期。
explain-auth-next = 检查发送的是哪个密钥、发往哪个地址；重新登录或新建密钥。
explain-forbidden-meaning = 密钥有效，但不允许这样使用：可能受地区、套餐、客户端、权限或服务前端防护的限制。
explain-forbidden-next = 检查账户的权限和套餐，以及所处的网络位置。
explain-model_not_found-meaning = 服务商在此处没有这个名称的模型：拼写有误、已下线、未开通，或不支持这类请求。
explain-model_not_found-next = 对照服务商的模型列表检查名称，开通该模型，或改用其他模型。
explain-bad_request-meaning = 请求有误，或超出该模型可接受的长度。模型并未故障。
explain-bad_request-next = 修改请求：缩短内容，或去掉模型不支持的参数。原样重发仍会失败。
explain-content_filtered-meaning = 提问或回答被内容策略拦截。模型并未故障。
explain-content_filtered-next = 换一种表述再试。
explain-misconfigured-meaning = 地址、路径、API 版本或某项设置有误：应答的并不是预期的 API。
explain-misconfigured-next = 检查设置中的基础网址和 API 类型。
explain-server_error-meaning = 服务商一侧出现故障，与你的配置无关。
explain-server_error-next = 稍后重试。若持续出现，请查看服务商的状态页，或换用其他模型。
explain-timeout-meaning = 未能及时收到应答。
explain-timeout-next = 稍后重试。如果只有这个服务商慢，可先换用其他服务商。
explain-network-meaning = 请求没有到达服务商：域名解析、连接、证书、代理或网络登录页面有问题。这不能说明模型的状况。
explain-network-next = 检查本机的网络、VPN 和代理。如果模型运行在本机，请启动它的服务。
explain-unrecognized-meaning = 应答与任何已知情形都不符，因此不对模型下结论。
explain-unrecognized-next = 请查看原始应答。可以在设置文件中添加自己的规则，让 Vacancy 识别它。
explain-skipped-meaning = 没有发出请求：本机处于离线、睡眠或暂停状态。
explain-skipped-next = 无需处理。

explain-headline = { $kind } · { $scope }
explain-label-whose = 责任方
explain-label-next = 建议
explain-label-wait = 等待
explain-label-switch = 换模型
explain-label-when = 何时重试
explain-label-rule = 规则
explain-label-evidence = 依据

explain-whose-nobody = 无：一切正常。
explain-whose-unknown = 未知。
explain-whose-theirs = 服务商。
explain-whose-account = 你的账户，与模型无关。
explain-whose-request = 需要你来更正：请求或设置。
explain-whose-machine = 本机或本机的网络。

explain-wait-yes = 有用。
explain-wait-no = 没有用。
explain-switch-yes = 同一服务商的其他模型很可能可用。
explain-switch-no = 同一账户下换其他模型也一样。
explain-switch-provider = 该服务商的其他模型很可能也一样。
explain-switch-machine = 换其他模型很可能也一样。
explain-switch-request = 只有能接受这种请求（例如更长的内容）的模型才行。

explain-when-now = 现在。
explain-when-hint = { $span }后（应答中给出）。
explain-when-long = { $span }后（应答中给出）。也可能提前恢复：可每半小时看一次。
explain-when-soon = 30 秒后；之后逐渐拉长间隔，最长五分钟。
explain-when-reset = 额度重置之后；应答未给出时间，可每半小时看一次。
explain-when-fixed = 更正之后。
explain-when-unknown = 按平常的间隔。

explain-span-days = { $count } 天
explain-span-hours = { $count } 小时
explain-span-minutes = { $count } 分钟
explain-span-seconds = { $count } 秒

explain-shape-answered = 有文字、思考、工具调用，或计入 token 的结束
explain-shape-refusal-as-answer = 整个应答就是一句已知的拒绝语
explain-shape-answer-filtered = 没有内容，结束原因是内容策略
explain-shape-finish-failed = 没有内容，结束原因是故障
explain-shape-response-failed = 一个没有更多说明的错误事件
explain-shape-empty-body = 状态码表示成功，但没有内容
explain-shape-ended-before-output = 应答在输出任何内容之前就结束了
explain-shape-only-keep-alive = 只收到保持连接的空消息
explain-shape-stalled = 收到状态码之后、输出任何内容之前超过了时限
explain-shape-cut = 输出任何内容之前连接中断
explain-shape-daily-window = 每日的限额，未说明要等多久，或超过一小时
explain-shape-unrecognized = 与任何规则都不符

explain-evidence-names = 代码或类型
explain-evidence-parts = 代码或类型含有
explain-evidence-texts = 文字
explain-evidence-also = 并有文字
explain-evidence-unless = 但没有
explain-evidence-providers = 服务商
explain-evidence-statuses = 状态码

explain-no-input = 没有可解释的内容。请以参数、--file 或标准输入提供错误信息。
explain-unknown-dialect = 没有名为“{ $name }”的 API 类型，因此不作假定。可用的有：{ $known }
explain-no-file = 无法读取 { $path }：{ $reason }
