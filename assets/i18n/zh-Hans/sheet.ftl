# 速查表与热力图。

sheet-title = 速查表
# $at: 日期和时间；$zone: 时区名。
# $since: 第一个样本的日期。
sheet-subtitle = { $at }，{ $zone }。自 { $since } 起计入 { $samples } 个样本
sheet-counted = 只计入能说明模型状态的样本：空闲、满载或故障。跳过的探测，以及你自己的限额、密钥、设置和网络问题，会记录但不计入
sheet-subtitle-empty = { $at }，{ $zone }
sheet-today = 今天
sheet-tomorrow = 明天
# 英文逗号与空格：只在时段之间换行，不在时刻中间。
sheet-list-comma = 、
sheet-all-day = 全天

# 建议。$from, $to, $at: 时刻。
sheet-free-all-week = 整周通常空闲：最差的小时也有 { $percent } % 的时间空闲
sheet-busy-all-week = 很少空闲：最好的小时也只有 { $percent } % 的时间空闲
sheet-free-today = 今天余下时间通常空闲
sheet-busy-today = { $from } 到 { $to } 通常繁忙：请在 { $at } 切换
sheet-busy-soon = { $from } 到 { $to } 通常繁忙：请现在切换
sheet-busy-now = 现在通常繁忙，直到 { $to }
sheet-quiet = 下一个空闲时段 { $from } 到 { $to }，{ $percent } % 的时间空闲
sheet-outages = 一半的中断在 { $median } 内结束，十次中有八次在 { $most } 内结束（共 { $n } 次）
sheet-outages-median = 一半的中断在 { $median } 内结束（共 { $n } 次）
sheet-outages-long = { $n } 次中断中，看到结束的不到一半
sheet-busier = 自 { $since } 起更繁忙：空闲 { $recent } %，以往为 { $expected } %，已有 { $days } 天
sheet-quieter = 自 { $since } 起更空闲：空闲 { $recent } %，以往为 { $expected } %，已有 { $days } 天
sheet-missing-everything = 还没有记录：大约一天后会显示初步规律
sheet-missing-day = 记录不足一天：从 { $at } 起会显示一天的规律
sheet-missing-day-hours = 还太早：一天中只观察过 { $hours } 个小时
sheet-missing-week = 还不能区分一周中的各天：{ $at } 满第一周
sheet-missing-hours = 一周 { $all } 个小时中已知 { $known } 个，观察过 { $seen } 个：其余是推测
sheet-missing-weeks = { $all } 个小时中已知 { $known } 个，看到过 { $seen } 个：{ $at } 前大部分会已知

# 时间条旁。
sheet-note-unknown = 数据不足
sheet-note-unwatched = 尚未观察
sheet-note-free = 通常空闲
sheet-note-free-so-far = 目前为止空闲
sheet-note-free-until = { $at } 前空闲
sheet-note-likeliest = 很少空闲
sheet-note-quiet-from = { $at } 起空闲
sheet-note-busy-all = 繁忙到午夜
sheet-note-busy-day = 全天繁忙
sheet-note-busy = { $from } 到 { $to } 繁忙
sheet-note-busy-from = { $from } 起繁忙

sheet-days-every = 每天
sheet-days-weekdays = 工作日
sheet-days-weekend = 周末
sheet-on-every = 每天
sheet-on-weekdays = 工作日
sheet-on-weekend = 周末
sheet-best-hours = 最佳时段
sheet-best-line = { $days } { $hours }：空闲 { $percent } %（{ $low } 到 { $high } %），{ $weeks } 周，{ $samples } 个样本
sheet-day-use = { $model } { $hours }
sheet-busy-usual = 通常繁忙：{ $times }

# $from, $to: 时刻；$day: 星期。
sheet-until-day = { $from } 到{ $day } { $to }

# 括号内的说明。
sheet-noted = { $words }（{ $note }）
sheet-note-few = 样本较少
sheet-note-holes = 其中有未观察的时段
sheet-promise-few = 样本较少
sheet-promise-guess = 推测，尚未观察
sheet-promise-likeliest = 都不常空闲，此为最可能者

# 一天中最适合长时间工作的时段。$words: 下列四句之一。
sheet-longest = { $hours } 使用 { $model }：{ $words }
sheet-longest-none = 没有一小时以上的空闲
sheet-longest-over = 今天即将结束：长时间工作请看明天
sheet-longest-usual = { $percent } % 空闲，依据 { $weeks } 周
sheet-longest-few = 目前为止 { $percent } % 空闲，只有 { $samples } 个样本
sheet-longest-guess = 推测：这些小时从未观察，按其他时段估计为 { $percent } %
sheet-longest-likeliest = 不常空闲：只有 { $percent } %，但没有更空闲的模型

# 等待还是切换。
sheet-part-night = 夜间
sheet-part-morning = 上午
sheet-part-afternoon = 下午
sheet-part-evening = 晚上
sheet-wait-and-switch = 不可用时：{ $wait }等待，{ $switch }切换（{ $n } 次中断）
sheet-wait-parts = 不可用时，{ $parts }等待：通常 15 分钟内恢复（{ $n } 次中断）
sheet-switch-parts = 不可用时，{ $parts }切换：通常超过 15 分钟才恢复（{ $n } 次中断）
sheet-wait-always = 不可用时请等待：通常 15 分钟内恢复（{ $n } 次中断）
sheet-switch-always = 不可用时请切换：通常超过 15 分钟才恢复（{ $n } 次中断）
sheet-wait-unknown = 看到的中断太少，无法判断（看到结束 { $n } 次）
sheet-away-wait = { $model } 已不可用 { $so-far }：请等待，通常还需 { $more }（{ $n } 次中断）
sheet-away-long = { $model } 已不可用 { $so-far }：通常还需 { $more }（{ $n } 次中断）
sheet-away-longer = { $model } 已不可用 { $so-far }：{ $n } 次这样的中断中很少看到结束
sheet-away-unknown = { $model } 已不可用 { $so-far }：看到的中断太少，无法判断时长（{ $n } 次）
sheet-away-back = ；这个时段通常繁忙到 { $at }
sheet-away-to = 。请切换到 { $model }

# 热力图。
sheet-heat-title = 热力图
sheet-reading = 正在读取记录…
sheet-empty = 还没有规律
sheet-empty-words = 观察约一天后会显示初步规律；三周后大部分小时都会已知。
# 计划不会询问的模型，代替“约一天后出现规律”。
sheet-unasked-tool = 只从 { $tool } 的会话日志得知：用它工作时，各小时才会逐渐补上
sheet-unasked-never = 从不询问，不会自动出现规律：可在“设置”的“服务商”中改为按计划询问
sheet-unasked-on-demand = 只在需要时询问，不会自动出现规律：可在“设置”的“服务商”中改为按计划询问
sheet-heat-unwatched = 尚未观察
sheet-heat-never-busy = 每个小时通常都空闲
sheet-heat-busy = 通常繁忙：{ $times }
sheet-heat-hours-words = 各小时通常哪个模型空闲
# 小时 × 模型的标题：所看的星期。
sheet-heat-day-1 = 每周一
sheet-heat-day-2 = 每周二
sheet-heat-day-3 = 每周三
sheet-heat-day-4 = 每周四
sheet-heat-day-5 = 每周五
sheet-heat-day-6 = 每周六
sheet-heat-day-7 = 每周日
# 在模型名称之后。$since、$day: 日期。
sheet-heat-days-words = 自 { $since } 起 { $percent } % 空闲
sheet-heat-days-worst = 自 { $since } 起 { $percent } % 空闲；最低 { $day }，{ $worst } %
sheet-heat-strips = 所有模型，逐日
sheet-heat-strip-day = { $model }，{ $day }：空闲 { $percent } %
sheet-heat-by-hour = 按小时
sheet-view-week = 小时 × 星期
sheet-view-hours = 小时 × 模型
sheet-view-days = 日历
sheet-span-all = 全部记录
sheet-span-eight-weeks = 最近 8 周
sheet-span-four-weeks = 最近 4 周
sheet-zone-home = 家：{ $zone }
sheet-zone-here = 此处：{ $zone }
sheet-heat-picture = 图形
sheet-heat-table = 表格
# $title: 模型或星期。
sheet-heat-map = { $title } 的热力图，{ $rows } 行，每行 { $columns } 格。方向键移动，Enter 显示样本
sheet-heat-small = { $model }：观察时间中 { $percent } % 空闲，{ $samples } 个样本
sheet-heat-small-empty = { $model }：尚未观察
sheet-heat-row = { $name }：{ $percent } % 的时间空闲，{ $all } 格中看到 { $n } 格
sheet-heat-row-empty = { $name }：未观察
sheet-percent = { $percent } %
sheet-heat-now = { $model }，现在
sheet-heat-free = 空闲
sheet-heat-free-usually = 的时间空闲
sheet-heat-not-seen = 未观察
sheet-heat-interval = 可能范围 { $low } 到 { $high } %
sheet-heat-suggested = 按相邻时段估计为 { $percent } %（{ $low } 到 { $high } %）
sheet-heat-stands-on = { $weeks } 周，{ $samples } 个样本
sheet-heat-day-stands-on = 观察 { $hours }，{ $samples } 个样本
sheet-heat-thin = 样本较少：还不能算规律
sheet-heat-empty = 这个小时没有记录
sheet-heat-day-thin = 观察不足三小时
sheet-heat-day-empty = 这一天没有记录
sheet-heat-latency = 首字延迟，这个小时的通常值
sheet-heat-latency-value = 中位数 { $median }，十次中有一次超过 { $most }（{ $number ->
   *[other] { $n } 次回答
 }）
sheet-heat-watched = 观察时间中
sheet-heat-watched-weeks = 观察时间中，各周等同
sheet-heat-part-free = { $percent } % 空闲
sheet-heat-part-full = { $percent } % 满载
sheet-heat-part-fault = { $percent } % 对方故障
sheet-heat-show-samples = 显示样本
sheet-heat-weeks = 看到于
sheet-heat-samples = { $n ->
   *[other] { $samples } 个样本
}
sheet-heat-stand = { $day }：空闲 { $percent } %，{ $samples } 个样本
sheet-heat-cell = { $model }，{ $when }：空闲 { $percent } %（{ $low } 到 { $high } %），{ $weeks } 周，{ $samples } 个样本
sheet-heat-cell-empty = { $model }，{ $when }：未观察；按相邻时段估计为 { $percent } %（{ $low } 到 { $high } %）
sheet-heat-cell-unwatched = { $model }，{ $when }：未观察
sheet-heat-day-cell = { $model }，{ $when }：观察 { $hours }，其中 { $percent } % 空闲，{ $samples } 个样本
sheet-legend-ends = 0 到 100 % 空闲
sheet-legend-thin = 样本较少
sheet-legend-empty = 未观察
sheet-column-when = 时间
sheet-column-model = 模型
sheet-column-days = 日子
sheet-column-hours = 时段
sheet-column-weeks = 周数
sheet-column-free = 空闲
sheet-column-interval = 可能范围
sheet-column-stands-on = 依据

# 速查表界面。
sheet-copy = 复制为文本
sheet-tomorrow-is = 明天，{ $day }
sheet-today-is = 今天，{ $day }
# $models: 模型名称。
sheet-today-without = 目前不可用，未计入：{ $models }。一周计划按通常情况。
sheet-now = 现在
sheet-now-wait = 等待
# $more: 时长，例如 14 分钟。
sheet-now-wait-for = 等待 { $more }
# $at: 时刻；模型本身通常空闲到何时，与计划之后选哪个无关。
sheet-now-until = 到 { $at } 通常空闲，{ $percent } %
sheet-now-always = 任何时候通常都空闲，{ $percent } %
sheet-now-share = 通常空闲，{ $percent } %
sheet-now-few = 目前为止空闲，样本还太少，不能算规律
sheet-now-free = 现在空闲，虽然这个小时通常不空闲
sheet-now-free-unsaid = 现在空闲；对这个小时所知太少，不能算通常
sheet-longest-head = 适合长时间工作，08:00 到 20:00 之间最长：{ $words }
sheet-longest-head-on = 适合长时间工作，08:00 到 20:00 之间最长，之后仍空闲：{ $words }
sheet-longest-head-late = 适合长时间工作，当天余下时间中最长：{ $words }
sheet-week-title = 一周中备用链首个空闲的模型
sheet-ribbon = { $model }：{ $note }
sheet-quarter = { $from }–{ $to }：通常 { $percent } % 的时间空闲
sheet-quarter-thin = { $from }–{ $to }：{ $percent } % 的时间空闲，样本较少
sheet-quarter-empty = { $from }–{ $to }：未观察
sheet-best-interval = { $low } 到 { $high }
sheet-best-none = 还太早：没有已知规律的时段
sheet-outages-few = 中断太少，无法判断（看到结束 { $n } 次）
sheet-ahead = { $times } 繁忙：请提前十分钟切换
sheet-ahead-always = 没有通常空闲的小时：请备好另一个模型
sheet-ahead-never = 没有通常繁忙的小时
sheet-ahead-early = 记录满一天后才能知道
sheet-changed-nothing = 最近十天没有异常
sheet-changed-early = 还无法判断是否异常
sheet-habit-outages = 不可用时
sheet-habit-wait = 等待还是切换
sheet-habit-ahead = 提前切换
sheet-habit-speed = 通常速度
# $words: 下一句；$hours: 时段。
sheet-speed = 一半的回答在 { $median } 内开始，十次中有一次超过 { $most }（{ $number ->
   *[other] { $n } 次回答
 }）
sheet-speed-slowest = { $words }；{ $hours } 最慢：{ $median }
sheet-speed-unknown = 还没有计时的回答
sheet-habit-changed = 最近变化
