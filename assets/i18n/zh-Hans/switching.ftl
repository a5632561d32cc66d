# 命令行。

switch-env-file = 无法按 NAME=value 的格式读取 { $file }：{ $reason }
switch-unknown-tool = 没有名为“{ $tool }”的工具。可用的有：{ $known }
switch-needs-file = { $tool } 启动时需要指定文件：请用 --file PATH 给出路径。
switch-needs-yes = 没有写入任何内容：没有可以询问的终端。加上 --yes 即可写入。
switch-confirm = 写入吗？[y/N]
switch-done = { $tool } 已切换（编号 { $id }；“vacancy undo { $id }”可以撤销）。
switch-not-verified = 文件已写入，但读出的内容与计划不同：别的程序马上又改了它。请用“vacancy tools”查看。
switch-planned = { $tool }：{ $before } → { $after }
switch-nothing = { $tool } 已经在使用 { $model }，无需写入。
switch-refused = 没有切换 { $tool }：{ $reason }
switch-own-default = 自己的默认模型
switch-effect-at-once = 正在运行的程序会自动发现更改。
switch-effect-next-command = 从下一条命令起生效。
switch-effect-next-session = 对新会话生效；正在运行的会话保持原来的模型。
switch-effect-restart = 重新启动程序后生效。
switch-changed-since = 之后有人改动了这个值。加上 --yes 仍会覆盖它。
switch-conflict = { $file } 中的 { $key }：我们写入的是“{ $ours }”，现在是“{ $now }”，将变为“{ $goal }”
switch-absent = 无
switch-undone = { $tool }：切换 { $id } 已撤销。
switch-redone = { $tool }：切换 { $id } 已重做。
switch-no-tools = 没有找到带有配置的工具。指定一个工具名即可查看会在哪里查找它。
switch-place-file = { $file } 中的 { $key }
switch-place-variable = 变量 { $name }
