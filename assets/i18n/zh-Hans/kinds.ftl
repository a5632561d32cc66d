# Kinds, families, scopes, roles: the words of the whole program.

kind-available = 可用
kind-at_capacity = 已满载
kind-rate_limited = 触发你的速率限制
kind-usage_limit = 套餐时段额度已用完
kind-quota_exhausted = 余额已用完
kind-auth = 密钥被拒绝
kind-forbidden = 不允许访问
kind-model_not_found = 找不到模型
kind-bad_request = 请求被拒绝
kind-content_filtered = 被内容过滤拦截
kind-misconfigured = 设置有误
kind-server_error = 服务器错误
kind-timeout = 未及时响应
kind-network = 网络故障
kind-unrecognized = 无法识别的响应
kind-skipped = 未探测

family-available = 可用
family-full = 满载
family-limited = 受限
family-fault = 故障
family-blocked = 受阻
family-unknown = 未知

scope-model = 仅此模型
scope-account = 你的账户
scope-provider = 整个服务商
scope-local = 本机

role-primary = 主用
role-backup = 备用
role-emergency = 应急
role-none = 仅观察
role-hint-primary = 你最想用的模型：不可用时探测得最勤，恢复可用时会通知你。
role-hint-backup = 排在前面的模型不可用时推荐它。
role-hint-emergency = 最后的选择：平时很少探测；主用和备用模型都不可用时，才和它们探测得一样勤。
role-hint-none = 只记录和显示，从不推荐。

source-probe = 探测
source-tool-log = 会话日志
source-relay = 中转
