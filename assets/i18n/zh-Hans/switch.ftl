# 切换：警告与拒绝的原因。代码及其含义见 src/switch/warning.rs。

switch-unreadable = 无法读取 { $file }：{ $reason }
switch-invalid-for-tool = 该工具不接受 { $file }：第 { $line } 行第 { $column } 列：{ $problem }。修正之前，整个文件都会被忽略或拒绝。
switch-parse-error = { $file } 在第 { $line } 行第 { $column } 列有错误：{ $problem }。没有写入任何内容；请修正后重试。
switch-cannot-edit = 无法只修改 { $file } 中的 { $key } 而不影响其他内容：{ $problem }
switch-readonly = 无法写入 { $file }（实际位置：{ $target }）。请在生成它的地方修改，或将其设为可写。
switch-no-file = { $file } 不存在，而且该工具不会读取新建的文件。
switch-value-is-key = { $key } 的值看起来像密钥。切换从不写入密钥。
switch-masked-by-file = { $file } 中的 { $key } 优先于你的文件：那里使用“{ $value }”。
switch-masked-by-variable = 变量 { $key } 优先于文件：只要设置了它，就使用“{ $value }”。
switch-key-missing = { $provider } 需要变量 { $variable }，但它没有设置。
switch-wrong-type = { $file } 中的 { $key }（第 { $line } 行）不是文本，而该工具在这里需要文本。
switch-bom = { $file } 以字节顺序标记开头。该工具会跳过它；它保持原样。
switch-duplicate-key = { $key } 在 { $file } 中出现不止一次。该工具使用最后一个，被修改的也是它。
switch-llm-bom = { $file } 以字节顺序标记开头，llm 会把它当作模型名称的一部分。请将其删除。

# Copilot CLI
switch-copilot-inert = Copilot 使用自己的端点时，{ $file } 中的模型不会被使用。
switch-copilot-no-model = 设置了 { $variable } 却没有指定模型：Copilot 启动时会停止。请设置 COPILOT_MODEL，或用 --model 启动。
switch-copilot-own-endpoint = { $endpoint } 让 Copilot 使用自己的端点，此时设置文件中的模型不起作用。请改为设置 { $variable }，或用 --model 启动。
switch-copilot-provider = Copilot 的设置只能指定 GitHub 的模型；“{ $provider }”需要用变量配置自己的端点。
switch-copilot-old-file = 从 1.0.35 版起，{ $file } 中的模型“{ $value }”会被忽略，以 settings.json 为准。
switch-copilot-versions = 安装了多个版本的 Copilot。{ $gate } 之前的版本读取 { $file }。
