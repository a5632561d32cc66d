# 速查表与热力图。

sheet-title = 速查表
# $at: 日期和时间；$zone: 时区名。
sheet-subtitle = { $at }，{ $zone }。依据 { $weeks } 周、{ $samples } 个样本
sheet-today = 今天
sheet-tomorrow = 明天
sheet-plan-title = 备用链中首个空闲的模型
sheet-list-comma = 、
sheet-all-day = 全天

# 建议。$from, $to, $at: 时刻。
sheet-free-all-week = 整周通常空闲：最差的小时也有 { $percent } % 的时间空闲
sheet-free-today = 今天余下时间通常空闲
sheet-busy-today = { $from } 到 { $to } 通常繁忙：请在 { $at } 切换
sheet-busy-soon = { $from } 到 { $to } 通常繁忙：请现在切换
sheet-busy-now = 现在通常繁忙，{ $to } 恢复
sheet-quiet = 下一个空闲时段 { $from } 到 { $to }，{ $percent } % 的时间空闲
sheet-outages = 中断时长的中位数为 { $median }；十次中有八次在 { $most } 内结束（共 { $n } 次）
sheet-outages-median = 中断时长的中位数为 { $median }（共 { $n } 次）
sheet-outages-long = { $n } 次中断中，看到结束的不到一半
sheet-busier = 自 { $since } 起更繁忙：空闲 { $recent } %，以往为 { $expected } %，已有 { $days } 天
sheet-quieter = 自 { $since } 起更空闲：空闲 { $recent } %，以往为 { $expected } %，已有 { $days } 天
sheet-missing-everything = 还没有记录：大约一天后会显示初步规律
sheet-missing-day = 记录不足一天：从 { $at } 起会显示一天的规律
sheet-missing-week = 还不能区分一周中的各天：{ $at } 满第一周
sheet-missing-weeks = { $all } 个小时中已知 { $known } 个，看到过 { $seen } 个：{ $at } 前大部分会已知

# 时间条旁。
sheet-note-unknown = 数据不足
sheet-note-free-rest = 之后空闲
sheet-note-free-day = 全天空闲
sheet-note-quiet-from = { $at } 起空闲
sheet-note-busy-all = 繁忙到午夜
sheet-note-busy = { $from } 到 { $to } 繁忙
sheet-note-busy-from = { $from } 起繁忙

sheet-days-every = 每天
sheet-days-weekdays = 工作日
sheet-days-weekend = 周末
sheet-best-hours = 最佳时段
sheet-best-line = { $days } { $hours }：空闲 { $percent } %（{ $low } 到 { $high } %），{ $weeks } 周，{ $samples } 个样本
sheet-day-use = { $model } { $hours }
sheet-day-likeliest = { $model } { $hours }（都不常空闲，此为最可能者）
sheet-busy-usual = 通常繁忙：{ $times }

# 等待还是切换。
sheet-part-night = 夜间
sheet-part-morning = 上午
sheet-part-afternoon = 下午
sheet-part-evening = 晚上
sheet-wait-and-switch = 不可用时：{ $wait }等待，{ $switch }切换
sheet-wait-parts = 不可用时，{ $parts }等待：通常 15 分钟内恢复
sheet-switch-parts = 不可用时，{ $parts }切换：通常超过 15 分钟才恢复
sheet-wait-always = 不可用时请等待：通常 15 分钟内恢复（{ $n } 次中断）
sheet-switch-always = 不可用时请切换：通常超过 15 分钟才恢复（{ $n } 次中断）
sheet-wait-unknown = 等待还是切换：看到的中断太少，无法判断（看到结束 { $n } 次）
sheet-away-wait = { $model } 已不可用 { $so-far }：请等待，通常还需 { $more }（{ $n } 次中断）
sheet-away-long = { $model } 已不可用 { $so-far }：通常还需 { $more }（{ $n } 次中断）
sheet-away-longer = { $model } 已不可用 { $so-far }：{ $n } 次这样的中断中很少看到结束
sheet-away-unknown = { $model } 已不可用 { $so-far }：看到的中断太少，无法判断时长（{ $n } 次）
sheet-away-back = ，约 { $at } 恢复
sheet-away-to = 。请切换到 { $model }
