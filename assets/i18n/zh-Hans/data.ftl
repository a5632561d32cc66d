# Area: data
# The record on disk: export, import, db, and what can go wrong with it.

data-error-too-new = { $path } 由更新版本的 Vacancy 写入（格式 { $found }，此版本最高支持 { $known }）。请更新 Vacancy，或用 --data DIR 指定其他文件夹。
data-error-foreign = { $path } 是其他程序的数据库。请将其移走，或用 --data DIR 指定其他文件夹。
data-error-missing = 还没有记录：{ $path } 不存在。请先启动 Vacancy 或导入记录。
data-error-empty = { $path } 是空的：记录尚未开始，程序就已结束，或者磁盘已满。请在磁盘有空间时启动 Vacancy：它会在那里开始记录；如有备份，则恢复最新的备份。
data-error-disk-full = 磁盘已满。请为 { $path } 腾出空间；在此之前，正在运行的窗口或 `vacancy watch` 会把样本保留在内存中。
data-error-locked = { $path } 被其他程序锁定。请关闭该程序；在此之前，正在运行的窗口或 `vacancy watch` 会把样本保留在内存中。
data-error-read-only = 无法写入 { $path }。请检查该文件及其文件夹的权限。
data-error-damaged = { $path } 已损坏（{ $reason }）。请用 vacancy db restore 恢复备份；没有备份时，下次启动 Vacancy 会将该文件另存，并新建记录。
data-error-in-use = { $path } 正被另一个 Vacancy 使用。请先将其关闭。
data-error-no-backup = { $path } 中没有可用的备份。
data-error-file = 无法使用 { $path }：{ $reason }
data-error-sqlite = 数据库 { $path } 报告：{ $reason }
data-error-busy = 存储任务过多，请稍后重试。
data-error-overflow = 无法写入数据库，内存中也放不下更多样本。请恢复数据库的可写状态。
data-error-closed = 存储已关闭。

data-recovered = 数据库已损坏（{ $reason }），已另存为 { $aside }。
data-recovered-and = { $what }{ $then }
data-recovered-backup = 已改用备份 { $backup }。
data-recovered-fresh = 没有可用的备份，已新建数据库。

data-no-target = 记录是空的：还没有探测、读取或导入任何内容。
data-unknown-target = 记录中没有目标“{ $target }”。已知目标：{ $known }
data-file-exists = { $path } 已存在。请加 --force 覆盖，或换一个文件名。
data-cannot-write = 无法写入 { $path }：{ $reason }
data-cannot-read = 无法读取 { $path }：{ $reason }
data-export-stopped = 已停止，未写入任何内容。
data-export-progress = { $rows } 行，{ $percent }%
data-exported = 已将 { $rows } 行写入 { $path }

data-imported = 新增 { $stored } 个样本，{ $duplicates } 个已存在，{ $old } 个过旧，{ $bad } 行有误
data-import-too-old = 早于清理界限的样本无法加入：其所在的一刻钟统计已定。
data-bad-line = 第 { $line } 行：{ $reason }
data-bad-entry = 第 { $line } 项：{ $reason }
data-more-bad-lines = 另有 { $count } 处
data-import-refused = 未加入任何样本：{ $bad } 行有误。
data-import-nothing = 没有一行可作为样本读取。应有 vacancy export 的各列：{ $columns }
data-bad-header = 表头缺少列 { $column }。
data-bad-missing = 缺少 { $field }
data-bad-value = { $field } 不能为 { $value }
data-bad-time = { $field } 不能为 { $value }，请写成 { $known }
data-bad-word = { $field } 不能为 { $value }，可用的有 { $known }
data-bad-json = 不是有效的 JSON：{ $reason }
data-bad-object = 不是 JSON 对象
data-bad-csv = 不是有效的 CSV：{ $reason }
data-bad-utf8 = 不是 UTF-8 文本

data-info-file = 文件
data-info-size = 大小（含预写日志）
data-info-free = 未使用，可归还
data-info-targets = 目标
data-info-samples = 样本
data-info-buckets = 有统计的天数（所有模型合计）
data-info-first = 最早样本
data-info-last = 最新样本
data-info-format = 格式
data-info-backups = 备份
data-info-none = 无

data-check-good = 数据库完好。
data-backup-made = 备份已写入 { $path }
data-restored = 已恢复 { $path }。
data-restored-replaced = 原数据库现为 { $path }。
data-compacted = 已归还系统 { $bytes }；文件现为 { $size }。
data-rebuilt = 已根据样本重新生成 { $targets } 个目标的一刻钟统计。
data-pruned = 已删除 { $samples } 个样本；其一刻钟统计保留。
data-ask-restore = 用备份替换数据库 { $path }？
data-ask-prune = 删除 { $days } 天之前的所有样本？
data-ask-suffix = [y/N]
data-needs-yes = 此操作会永久改变记录，且没有终端可供确认。请加 --yes 执行。
data-declined = 未作任何更改。
