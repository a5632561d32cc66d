history-title = 历史
history-now = 现在
history-from-to = { $from } – { $to }
history-preset-day = 一天
history-preset-week = 一周
history-preset-month = 一月
history-preset-year = 一年
history-preset-all = 全部
history-earlier = 更早
history-later = 更晚
history-nearer = 放大时间
history-farther = 缩小时间
history-newest = 回到现在
history-chart = 图形
history-table = 表格
history-targets = 模型
history-targets-of = 模型 { $shown }/{ $all }
history-targets-all = 全部显示
history-families = 状态
history-families-of = 状态 { $shown }/{ $all }
history-sources = 来源
history-sources-all = 全部来源
history-export = 导出
history-export-csv = 样本，CSV 格式
history-export-json = 样本，JSON 格式
history-export-jsonl = 样本，JSON Lines 格式
history-export-png = 图片，PNG 格式
history-exporting = 正在写入，已写 { $rows } 行
history-export-stop = 停止
history-exported = 已把 { $rows } 行写入 { $path }
history-exported-picture = 图片已写入 { $path }
history-export-stopped = 已停止，未保留任何内容
history-export-failed = 无法写入 { $path }：{ $reason }
history-export-read-failed = 无法读取记录：{ $reason }
history-reading = 正在读取记录…
history-empty = 还没有任何记录
history-empty-words = 第一次探测后几秒内，首批结果就会出现在这里。也可以读取各工具的会话日志，补上过去的情况。
history-nothing-shown = 没有显示任何模型
history-trouble = 无法读取记录：{ $reason }

# The picture
history-legend-free = 可用
history-legend-full = 满载
history-legend-fault = 故障
history-legend-limited = 自己的限额
history-legend-blocked = 自己一侧受阻
history-legend-gap = 未观察
history-picture = { $range } 期间 { $n } 个模型的状态。方向键移动，加减号缩放，Home 和 End 跳到两端。表格中有相同的数据。
history-latency-title = 首个 token 用时，{ $name }
history-latency-legend = 中位数，以及十次中八次所在的范围
history-latency-beyond = 高于图形，最高 { $most }
history-latency-none = 这段时间里没有 { $name } 的回答
history-lane-summary = { $name }：观察时间内有 { $percent }% 可用，{ $samples } 个样本
history-lane-empty = { $name }：这段时间未观察

# Under the pointer
history-cell-gap = 未观察
history-cell-skipped = 未探测（休眠、离线或暂停）
history-cell-share = { $word } { $percent }%，{ $span }
history-cell-samples = { $n ->
   *[other] { $samples } 个样本
}
history-cell-limited = { $n } 次被自己的限额拒绝
history-cell-blocked = { $n } 次在自己一侧受阻
history-cell-other = { $n } 次与模型无关
history-latency-median = 中位数 { $median }
history-latency-band = 十次中八次在 { $low } 到 { $high } 之间
history-latency-ends = 最快 { $least }，最慢 { $most }
history-latency-n = 来自 { $n } 次回答

# Outages
history-outages = 中断
history-outages-count = { $n ->
    [0] 视图内没有
   *[other] 视图内 { $n } 次
}
history-outages-newest = 最近 { $n } 次
history-outages-none = 视图内没有中断
history-outages-none-words = 就观察到的时间而言，所示模型都可用。
history-length = { $span }
history-length-least = 至少 { $span }
history-length-about = 约 { $span }
history-length-now = 已持续 { $span }
history-kind-count = { $kind } { $n } 次
history-outage-summary = { $name }：从 { $start } 起，{ $length }。{ $kinds }

# The table
history-column-period = 时间
history-column-model = 模型
history-column-free = 可用
history-column-full = 满载
history-column-fault = 故障
history-column-watched = 已观察
history-column-own = 自己被拒
history-column-samples = 样本
history-row-summary = { $period }，{ $name }：可用 { $free }，满载 { $full }，故障 { $fault }，共观察 { $watched }；自己被拒 { $own } 次，{ $samples } 个样本
