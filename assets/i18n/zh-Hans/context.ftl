# Area: context. 他人的说法：状态页与 OpenRouter 的统计。

context-heading = 他人的说法（不计入统计）
context-page = 状态页
context-openrouter = OpenRouter
context-checked = { $words }（{ $time } 查询）
context-good = { $n ->
    [one] 运行正常
   *[other] 全部 { $n } 个组件运行正常
}
context-good-missing = { $n } 个组件运行正常，但页面上已没有“{ $names }”
context-nothing-reported = 未报告故障
context-part = { $name }：{ $status }
context-status = { $word ->
    [degraded_performance] 性能下降
    [degraded] 性能下降
    [partial_outage] 部分中断
    [major_outage] 严重中断
    [full_outage] 完全中断
    [outage] 中断
    [downtime] 停机
    [under_maintenance] 维护中
    [maintenance] 维护中
    [in_progress] 维护中
    [service_disruption] 服务受扰
    [service_outage] 服务中断
    [service_information] 有公告
    [affected] 受影响
    [investigating] 调查中
    [identified] 已找到原因
    [monitoring] 观察中
    [verifying] 验证中
   *[other] { $word }
}
context-upstreams = 最近 30 分钟可用率 { $percent } %（{ $n } 个上游，不含限速）
context-upstreams-failing = { $words }；{ $listed } 个中有 { $failing } 个故障
context-upstreams-unmeasured = { $n } 个上游，暂无数据
context-link = 仅供人工查看：{ $address }
context-silent-not-asked = 尚未查询
context-silent-no-answer = 未知：没有回应
context-silent-moved = 未知：页面已搬迁
context-silent-not-understood = 未知：内容无法识别
context-silent-no-such-part = 未知：页面没有相关组件

# 套餐或密钥的额度用量
context-limit-label = 你的额度
context-limit = { $window }：已用 { $percent } %
context-limit-resets = { $window }：已用 { $percent } %，{ $time } 重置
context-span-minutes = { $n } 分钟窗口
context-span-hours = { $n } 小时窗口
context-span-days = { $n } 天窗口
context-span-day = 每日窗口
context-span-week = 每周窗口
context-span-plan = 套餐
context-span-requests = 请求额度
context-span-tokens = token 额度
context-sessions-label = 会话
context-sessions = 你有 { $n } 个会话正在运行
context-advice-near = { $window }已用 { $percent } %
context-advice-resets = { $time } 重置
context-advice-sessions = { $n } 个会话运行中；{ $advice }
context-advice-left = 还剩 { $left }
