# 领域：discovery。首次启动时找到的东西。

discovery-reason-active = { $tool } 正在使用的模型
discovery-reason-named = { $tool } 的设置里提到
discovery-reason-commented-out = { $tool } 的设置里被注释掉的模型
discovery-reason-subscription = { $tool } 设置为使用它自己的登录：只从它自己的日志了解，从不探测
discovery-reason-key = 已设置 { $variable }
discovery-reason-local-server = { $name } 正在本机运行

discovery-nothing = 没有找到编程工具或密钥。仍可写入一个供手工填写的设置文件。
discovery-tools = 找到的工具：
discovery-no-model = 未设置模型
discovery-unreadable = 无法理解：{ $path }
discovery-keys = 找到的密钥（只记名称，不保留内容）：
discovery-proposals = 可以关注的模型（x 为已勾选）：
discovery-cost = 每天约 { $requests } 次请求、{ $tokens } 个 token
discovery-cost-on-demand = 仅在你要求时探测
discovery-cost-never = 从不探测：从工具日志了解
discovery-total = 已勾选合计：每天约 { $requests } 次请求、{ $tokens } 个 token。
discovery-none-ticked = 没有勾选任何模型：用 `vacancy setup --tick 模型` 勾选一个。
discovery-no-such = 列表中没有模型 `{ $model }`；`vacancy setup` 会列出它们。
discovery-unset-key = 未设置 { $variable }，因此需要它的模型没有勾选。请设置后重新查找。
discovery-left-out = 找到了 { $tool }，但无法探测它的模型：密钥写在该工具自己的文件里，或模型名称只有该工具认识。请在设置文件中写明密钥和模型。
discovery-ask = 按勾选内容写入设置文件吗？[y/N]
discovery-needs-yes = 没有写入任何内容。加上 --yes 再运行一次，即可按勾选内容写入设置文件。
discovery-written = 已写入：{ $path }。请运行 `vacancy watch`，或打开窗口。

discovery-login-none = 其文件中没有登录信息
discovery-login-api-key = API 密钥
discovery-login-subscription = 订阅

discovery-place-process = 在当前环境中
discovery-place-login-shell = 在登录 shell 中
discovery-place-tool-file = 在工具自己的文件中
