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
