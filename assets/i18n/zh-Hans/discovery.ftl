# 领域：discovery。首次启动时找到的东西。

discovery-reason-active = { $tool } 正在使用的模型
discovery-reason-named = { $tool } 的设置里提到
discovery-reason-commented-out = { $tool } 的设置里被注释掉的模型
discovery-reason-subscription = { $tool } 以订阅方式登录：只从它自己的日志了解，从不探测
discovery-reason-key = 已设置 { $variable }
discovery-reason-local-server = { $name } 正在本机运行
