# Area: cli. What verbs print.

cli-aside = { $text }（{ $aside }）

cli-no-settings =
    还没有设置：{ $path } 不存在。运行 `vacancy setup`，根据本机已有的工具生成设置；或运行 `vacancy demo` 看看程序的样子。
cli-bad-settings = 设置文件无效：
cli-already-running = Vacancy 已在 { $path } 上运行。请使用那个窗口、先结束它，或用 --data DIR 指定别的文件夹。
cli-no-folder = { $path } 占用了记录文件夹的位置，但它不是文件夹。请将其移走，或用 --data DIR 指定其他文件夹。
cli-no-lock = 无法锁定 { $path }：{ $error }
cli-no-display = 这里没有显示器。`vacancy watch` 在终端里显示同样的面板，`vacancy now` 只打印一次。
cli-no-window = 无法打开窗口（{ $error }）。`vacancy watch` 在终端里显示同样的面板。
cli-demo-opens = 演示会在单独的窗口中打开
cli-demo-fails = 无法启动演示：{ $error }
