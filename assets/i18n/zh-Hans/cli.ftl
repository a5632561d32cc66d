# Area: cli. What verbs print.

cli-no-settings =
    还没有设置：{ $path } 不存在。运行 `vacancy setup`，根据本机已有的工具生成设置；或运行 `vacancy demo` 看看程序的样子。
cli-bad-settings = 设置文件无效：
cli-already-running = Vacancy 已在 { $path } 上运行。请使用那个窗口、先结束它，或用 --data DIR 指定别的文件夹。
cli-no-lock = 无法锁定 { $path }：{ $error }
