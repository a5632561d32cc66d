# 程序在后台：自动启动、托盘、关闭、第二次启动。

background-autostart-on = Vacancy 会随会话一起启动：{ $command }
    启动项：{ $place }
background-autostart-off = Vacancy 不会随会话启动。
    `vacancy autostart on` 会写入 { $place }
background-autostart-disabled = 启动项存在，但已在桌面设置中关闭：{ $place }
    `vacancy autostart on` 会重新打开它。
background-autostart-moved = 启动项存在，但启动的是另一个文件或另一份记录：{ $place }
    `vacancy autostart on` 会把它改为 { $command }
background-autostart-edited = 启动项已被他人修改：{ $place }
    它会保持原样。`vacancy autostart on --force` 会替换它，`off --force` 会删除它。
background-autostart-begin = 下次会话开始时生效；现在就开始请运行
    { $command }
background-autostart-is-edited = { $place } 已被他人修改，因此保持原样。--force 会替换或删除它
background-autostart-no-home = 找不到用户主目录；请设置 HOME
background-autostart-not-text = 该路径无法写入启动项，请移动程序：{ $path }
background-autostart-fails = { $error }：{ $place }
background-autostart-now-on = 从现在起 Vacancy 会随会话启动。启动项：{ $place }
background-autostart-now-off = Vacancy 不再随会话启动。

background-tray-line = { $model } · { $state }
background-tray-since = { $state }，自 { $time } 起
background-tray-paused = 已暂停
background-tray-paused-until = 暂停至 { $time }
background-tray-offline = 你自己的网络已断开
background-tray-nothing = 还没有观察任何模型
background-tray-free = 现在可用：{ $model }
background-tray-none-free = 链中没有可用的模型
background-tray-none-known = 目前尚不清楚
background-tray-more = 窗口中还有 { $n } 个
background-tray-tool = 用于 { $tool }
background-tray-pause = 暂停一小时
background-tray-resume = 继续观察
background-tray-quiet = 一小时内请勿打扰
background-tray-glance = 小窗口
background-tray-show = 显示 Vacancy
background-tray-quit = 退出 Vacancy

background-close-title = 要在后台继续观察吗？
background-close-words-tray = Vacancy 可以留在托盘中，并在你的模型可用时通知你。点击图标即可恢复窗口。
background-close-words-minimised = 你的桌面没有托盘，因此 Vacancy 会最小化并继续运行，在你的模型可用时通知你。再次启动即可恢复窗口。
background-close-keep = 记住我的选择
background-close-tray = 在托盘中继续观察
background-close-minimise = 最小化并继续观察
background-close-quit = 退出
background-close-set-ask = 从现在起关闭窗口时会询问。
background-close-set-tray = 从现在起关闭窗口后会继续观察。可在命令列表（Ctrl+K）中更改。
background-close-set-quit = 从现在起关闭窗口会退出程序。可在命令列表（Ctrl+K）中更改。

background-runs-in-terminal = 一个没有窗口的 Vacancy 正在保存这份记录（进程 { $pid }）。请先结束它再打开窗口，或者用 `vacancy now` 查看
background-is-shown = Vacancy 已在运行；窗口已移到最前。
