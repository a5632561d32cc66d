# Area: handout
# The cheat sheet as a file: page, picture, calendar, table.

handout-title = 哪个模型什么时候空闲
handout-table-title = 一周各小时
handout-legend = 数字是空闲时间的百分比；带 ? 的样本很少；· 表示没有观察过
handout-speed-title = 首个 token 用时（秒）：中位数，以及十次中九次不超过的值
handout-page = 第 { $page } 页，共 { $all } 页
# How far the reading of the record is.
handout-progress = 已读取 { $all } 个目标中的 { $n } 个
handout-cell = { $when }：空闲 { $percent } %（{ $low } 到 { $high } %），{ $weeks } 周，{ $samples } 个样本
handout-cell-empty = { $when }：没有观察过；从前后的小时推测为 { $percent } %（{ $low } 到 { $high } %）

handout-calendar = Vacancy：空闲时段
handout-event = { $model } 通常空闲（{ $percent } %）
handout-event-few = { $model } 目前为止空闲（{ $percent } %，样本较少）
handout-event-guess = { $model } 可能空闲：仅为推测（{ $percent } %）
handout-event-words = 这段时间有 { $percent } % 空闲，很可能不低于 { $low } %。依据 { $samples } 个样本。
handout-event-thin = 其中有些小时样本很少。
handout-event-empty = 其中有些小时没有观察过：一部分是推测。

handout-zone = 没有时区“{ $zone }”。请写成 Europe/Berlin 或 UTC 这样的名称。
handout-zone-meant = 没有时区“{ $zone }”。你是想写 { $meant } 吗？
handout-heatmap-name = 热力图是图片：--heatmap 后面的文件名请以 .png 或 .svg 结尾。
handout-png-to-terminal = 终端不能显示图片。请用 --out FILE 写明文件。
handout-pages-need-a-name = { $n } 个目标需要 { $pages } 张图片。请用 --out 写明文件：其余图片按它命名。
handout-written = 已写入 { $path }
