# Area: glance.

glance-free = 现在空闲：{ $model }
glance-nothing = 没有空闲的模型
glance-looking = 正在查看
glance-offline = 你的网络已断开
glance-paused = 已暂停
glance-paused-until = 暂停至 { $time }
glance-nobody = 没有程序在观察
glance-empty = 还没有目标

glance-free-for = 已空闲 { $age }
glance-slow-for = 较慢，已空闲 { $age }
glance-quiet-on = 通常{ $window }
glance-quiet = 通常空闲：{ $window }
glance-quiet-few = 目前为止空闲：{ $window }，样本较少
glance-quiet-likeliest = 最可能空闲：{ $window }，{ $percent } %
glance-window = { $from }–{ $to }
glance-window-open = 直到 { $to }
glance-window-always = 任何时候
glance-row = { $model }：{ $state }。{ $next }
glance-window-title = Vacancy 小窗口
glance-open-main = 显示完整窗口
glance-close = 关闭
glance-demo = 演示

glance-bar-refresh = 刷新

glance-format-unclosed = 模板第 { $column } 个字符处的花括号没有结尾；要写花括号本身，请用 {"{{"}
glance-format-stray = 模板第 { $column } 个字符处的右花括号没有开头；要写花括号本身，请用 {"}}"}
glance-format-unknown = 模板不认识第 { $column } 个字符处的“{ $name }”；`vacancy now --help` 列出了所有字段
glance-format-meant = 模板不认识第 { $column } 个字符处的“{ $name }”；你是想写“{ $meant }”吗？
glance-format-whose = “{ $name }”属于某个目标：请写 first_free.{ $name } 或 primary.{ $name }，或者把它放在 {"{each}"} 和 {"{end}"} 之间
glance-format-loop = {"{each}"}、{"{between}"} 和 {"{end}"} 不匹配：each 开始，end 结束，between 在中间出现一次，后面只能是普通文字
glance-format-target = 设置里没有目标“{ $target }”
glance-format-target-meant = 设置里没有目标“{ $target }”；你是想写“{ $meant }”吗？
