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

# aider
switch-aider-fatal = 由于 { $file }，aider 无法启动。
switch-aider-no-keys = { $file } 中没有任何键，aider 因此无法启动。
switch-aider-dotenv = { $file } 中的 AIDER_MODEL 优先于 YAML 文件：那里使用“{ $value }”。
switch-aider-dotenv-over-shell = { $file } 中的 AIDER_MODEL 优先：使用“{ $value }”。它还会替换已导出的 AIDER_MODEL={ $exported }，因此 shell 中的值不起作用。
switch-aider-dotenv-empty = { $file } 把 AIDER_MODEL 设为空：aider 因此不读取文件中的模型，而是根据找到的密钥选择。请删除该行。
switch-aider-variable-empty = 导出的 AIDER_MODEL 为空：aider 因此不读取文件中的模型，而是根据找到的密钥选择。请取消设置。
switch-aider-file-empty = { $file } 中的 model 为空文本：在那里你自己文件中的模型不会被读取。请删除该行。
switch-aider-switch = { $file } 中的旧开关“{ $key }”只有在没有设置模型时才会选用 { $value }；设置模型后不起作用。
switch-aider-switch-inert = { $file } 中的旧开关“{ $key }”不起作用，因为已设置模型。
switch-aider-set-env = { $file } 的 set-env 中的 AIDER_MODEL={ $value } 不起作用：aider 在选定模型之后才设置它。
switch-aider-alias = “{ $name }”在这里是别名：它代表 { $value }，与名称不符。

# opencode
switch-opencode-agent = 默认代理 { $agent } 设置了自己的模型：{ $file } 中的 { $key } 为“{ $value }”。新会话会使用它；你文件中的模型用于其他代理。
switch-opencode-variable = 变量 { $variable } 指向 { $file }，其中的模型“{ $value }”优先于你的文件。
switch-opencode-inline = 变量 { $variable } 本身就包含设置，其中的模型“{ $value }”优先于你的文件。
switch-opencode-empty = { $place } 把 model 设为空（{ $value }）：在那里它会遮住你文件中的模型。
switch-opencode-reference = { $file } 中的 model 原为引用 { $value }；现改为名称本身。
switch-opencode-disabled = { $file } 中的 { $key } 使 opencode 不加载 { $provider }：修改之前，使用该模型的会话会失败。
switch-opencode-unlisted = { $model } 不在 opencode 文件为 { $provider } 列出的模型之中。
switch-opencode-no-provider = opencode 要求在模型名称（{ $model }）之前写明提供方：请指定一个。
switch-opencode-fatal = 按 { $place } 现在的内容，opencode 无法启动。
switch-opencode-several = 存在多个文件：{ $files }。{ $first } 的内容优先。
switch-opencode-other = { $file } 也指定了模型；它不起作用，因为 { $first } 优先。

# Crush
switch-crush-fatal = 按 { $file } 现在的内容，Crush 无法启动。
switch-crush-other = 只要 { $first } 设置了 models.large，{ $file } 中的 models.large 就不起作用。
switch-crush-unlisted = { $model } 不在 Crush 文件中 { $provider } 的模型之列。Crush 会悄悄用默认模型替换未知的模型，并保存下来。
switch-crush-no-provider = Crush 除了模型 { $model } 还需要提供方：请指定一个。

# Goose
switch-goose-broken = Goose 无法读取现在的 { $file }：它会恢复 config.yaml.bak 或重新开始。
switch-goose-twice = { $key } 在 { $file } 中出现多次；Goose 拒绝这样的文件。
switch-goose-comments = Goose 下次自行修改时会重写 { $file }，其中的注释将丢失。
switch-goose-lead = 已设置 GOOSE_LEAD_MODEL：每个会话的最初几轮使用“{ $value }”。
switch-goose-empty = 变量 { $variable } 为空，但仍优先于文件。请取消设置。
switch-goose-inert = { $file } 中的 { $keys } 不起作用：设置 active_provider 之后就不再使用它们。
switch-goose-too-new = { $file } 中的 active_provider 和 providers 从 Goose { $gate } 起才会读取；此版本使用 GOOSE_MODEL。
switch-goose-versions = 安装了多个版本的 Goose。{ $gate } 之前的版本读取 GOOSE_MODEL，而不是 providers 中的条目。
switch-goose-old-shape = { $file } 是旧格式；Goose 下次启动时会改写它。
switch-goose-no-provider = Goose 除了模型 { $model } 还需要提供方：请指定一个。

# LiteLLM
switch-litellm-fatal = 按 { $file } 现在的内容，代理无法启动。
switch-litellm-include = { $file } 被引用但不存在：代理无法启动。
switch-litellm-database = 代理可能从数据库加载模型（store_model_in_db）：除文件外，数据库中的内容也有效。
switch-litellm-no-group = model_list 中没有指向 { $model } 的条目，因此无法让 { $file } 中的“{ $name }”指向它。请先添加条目。
switch-litellm-no-name = 没有名为“{ $name }”的公开名称。现有：{ $names }。
switch-litellm-which = 要改变哪个公开名称的指向？请用 --alias 指定：{ $names }。
switch-litellm-balanced = “{ $name }”是 { $file } 中由 { $count } 个条目组成的负载均衡组。无法判断应修改哪一个：请手动修改，或为该组设置别名。
switch-litellm-reference = “{ $name }”的模型原为引用 { $value }；现改为名称本身。
switch-litellm-base = “{ $name }”保留自己的 api_base 和密钥，它们可能不属于 { $provider }。

# claude-code-router
switch-ccr-database = { $file } 不再被读取：设置保存在 { $database } 中。请在程序中修改路由。
switch-ccr-version = 从版本 { $gate } 起，claude-code-router 把设置保存在数据库中，只读取一次 { $file }。请在程序中修改路由。
switch-ccr-versions = 安装了多个版本的 claude-code-router。从版本 { $gate } 起不再读取该文件。
switch-ccr-fatal = 按 { $file } 现在的内容，claude-code-router 无法启动。
switch-ccr-provider = { $file } 没有定义提供方“{ $provider }”。请先在 Providers 中添加。
switch-ccr-unlisted = { $model } 不在 { $file } 为 { $provider } 列出的模型之中。
switch-ccr-reference = { $file } 中的 Router.default 原为引用 { $value }；现改为名称本身。
switch-ccr-script = 在 Router.default 之前会先询问脚本 { $script }（CUSTOM_ROUTER_PATH），它可能选择其他模型。
switch-ccr-role = 没有名为“{ $name }”的路由。现有：{ $names }。

# llm
switch-llm-alias = “{ $name }”是 { $file } 中的别名：它代表 { $value }，与名称不符。

# Copilot CLI
switch-copilot-inert = Copilot 使用自己的端点时，{ $file } 中的模型不会被使用。
switch-copilot-no-model = 设置了 { $variable } 却没有指定模型：Copilot 启动时会停止。请设置 COPILOT_MODEL，或用 --model 启动。
switch-copilot-own-endpoint = { $endpoint } 让 Copilot 使用自己的端点，此时设置文件中的模型不起作用。请改为设置 { $variable }，或用 --model 启动。
switch-copilot-provider = Copilot 的设置只能指定 GitHub 的模型；“{ $provider }”需要用变量配置自己的端点。
switch-copilot-old-file = 从 1.0.35 版起，{ $file } 中的模型“{ $value }”会被忽略，以 settings.json 为准。
switch-copilot-versions = 安装了多个版本的 Copilot。{ $gate } 之前的版本读取 { $file }。

# Codex
switch-codex-no-home = CODEX_HOME 指向 { $folder }，但该文件夹不存在：Codex 无法启动。请创建该文件夹，或取消该变量。
switch-codex-stops = { $file } 保持现状时 Codex 无法启动。没有写入任何内容。
switch-codex-stops-here = { $file } 保持现状时，Codex 无法在 { $folder } 中启动。在其他地方以你自己的文件为准。
switch-codex-bom = { $file } 以字节顺序标记开头。Codex 会忽略它；在 Codex 自己改写文件之前它会保留。
switch-codex-changed = { $file } 在读取时发生了变化。请重试。
switch-codex-legacy-profile = { $file } 选择了配置“{ $profile }”，由它决定；已修改它的模型，因为根级的 model 不起作用。这种写法会使新版本（0.134 及以后）无法启动：在新版本中，每个配置是单独的文件。
switch-codex-inert-profile = 此版本忽略 { $file } 中的配置“{ $profile }”，以根级的 model 为准。从 0.134 起，配置是单独的文件 { $profile }.config.toml，用 --profile 选择。
switch-codex-fatal-profile = { $file } 第 { $line } 行（profile = "{ $profile }"）会使此版本的 Codex 拒绝启动，因此任何模型都不会生效。请把表 [profiles.{ $profile }] 移到旁边的 { $profile }.config.toml，并删除这一行；之后用 --profile { $profile } 启动，或不加该选项。
switch-codex-no-such-profile = { $file } 第 { $line } 行选择了不存在的配置“{ $profile }”：Codex 无法启动。请定义 [profiles.{ $profile }]，或删除这一行。
switch-codex-undefined-provider = model_provider 指定了“{ $provider }”，但没有 [model_providers.{ $provider }] 定义它：Codex 无法启动。请定义它，或指定其他提供方。
switch-codex-no-such-provider = { $file } 没有定义提供方“{ $provider }”；使用这个名称 Codex 将无法启动。请先定义 [model_providers.{ $provider }]。
switch-codex-wrong-type = { $file } 中的 { $key }（第 { $line } 行）的类型不被 Codex 接受。
switch-codex-model-table = { $file } 中的 model（第 { $line } 行）是一个表；Codex 需要文本，因此无法启动。看来想用的是“{ $meant }”：请用根级的 model = "{ $meant }" 代替这个表。
switch-codex-wire-chat = 提供方“{ $provider }”的 wire_api = "chat"（{ $file } 第 { $line } 行）已不再支持，Codex 无法启动。如果该端点支持，请改为 "responses"。
switch-codex-reserved = [model_providers.{ $provider }]（{ $file } 第 { $line } 行）重新定义了内置的提供方：Codex 无法启动。请换一个名称，或改用 openai_base_url。
switch-codex-nameless = [model_providers.{ $provider }]（{ $file } 第 { $line } 行）没有 name：Codex 无法启动。请加上 name = "…"。
switch-codex-trust-level = 项目 { $project } 的 trust_level（{ $file } 第 { $line } 行）既不是 "trusted" 也不是 "untrusted"：Codex 无法启动。
switch-codex-approval = approval_policy = "untrusted"（{ $file } 第 { $line } 行）已不再支持：Codex 无法启动。请删除这一行。
switch-codex-empty-model = { $file } 中的 { $key } 是空文本：Codex 会读取文件，但无法开始会话。请在那里写上模型，或删除这一行。
switch-codex-stripped = Codex 会去掉项目文件 { $file } 中的 { $keys }：项目可以指定模型，但不能指定提供方。它指定的模型会发送给你自己的提供方“{ $provider }”。
switch-codex-no-provider-key = provider（{ $file } 第 { $line } 行）不是 Codex 的键，会被忽略；正确的是 model_provider。
switch-codex-in-table = { $file } 第 { $line } 行的 { $key } 位于 [{ $table }] 之下，属于该表，Codex 会忽略它。根级的键必须写在第一个表头之前。
switch-codex-base-url = 设置了 OPENAI_BASE_URL（主机 { $host }）：此版本的 Codex 会把内置提供方的请求发送到那里。从 0.120 起该变量不再起作用，由文件中的 openai_base_url 代替。
switch-codex-hides-sessions = Codex 只列出当前提供方的会话：换成“{ $after }”后，“{ $before }”的会话会从列表中隐藏，但不会删除。仍可用编号继续，换回原来的提供方后会重新出现。
switch-codex-versions-profile = 同时安装了 Codex { $lowest } 和 { $highest }。0.134 之前由文件中选择的配置决定；之后这样选择会使 Codex 无法启动，而这些表会被忽略。
switch-codex-versions-stripped = 同时安装了 Codex { $lowest } 和 { $highest }。0.129 之前项目的 model_provider 有效，之后会被忽略。
switch-codex-versions-base-url = 同时安装了 Codex { $lowest } 和 { $highest }。0.120 之前 OPENAI_BASE_URL 会改变内置提供方的地址，之后会被忽略。
switch-codex-versions-fatal = 同时安装了 Codex { $lowest } 和 { $highest }。文件中的一个提供方可被旧版本接受，却会使新版本无法启动。

# Zed
switch-zed-block = { $file } 中的 { $winner } 在这里优先，应当修改的是它；同一文件中的 { $key } 不会被使用。
switch-zed-assistant = { $file } 中的模型仍在旧名称“assistant”之下，Zed 会把它当作“agent”读取。它在原处被修改。
switch-zed-assistant-inert = { $file } 中“assistant”下的模型不会被使用：它已由“agent”取代。
switch-zed-project = Zed 不从项目中读取 agent 设置：{ $file } 中的模型不起作用。
switch-zed-provider = { $file } 还没有指定模型，而 Zed 会丢弃没有提供方的模型。请说明要使用哪个提供方。

# Cline
switch-cline-no-file = { $file } 不存在：这个 Cline 把模型保存在编辑器自己的存储中，或尚未设置。请在 Cline 中选择模型。
switch-cline-version = { $file } 不是版本 1 的提供方文件；Cline 会丢弃整个文件。
switch-cline-address = { $file } 中的“{ $address }”不是有效的地址；Cline 会因此丢弃整个文件。它必须以 https:// 或 http:// 开头。
switch-cline-no-provider = { $file } 没有指明最近使用的提供方。请先在 Cline 中选择一个，或指明要用哪个。
switch-cline-provider = { $file } 中没有提供方“{ $provider }”。请先在 Cline 中设置一次，使其拥有密钥。
switch-cline-memory = 运行中的 Cline 把这些设置保存在内存中，并会写回 { $file }。切换前请关闭它，之后再启动。

# Kimi
switch-kimi-broken = 以 { $file } 目前的内容，Kimi 无法启动。
switch-kimi-json = { $file } 属于旧版 Kimi，下次启动时会转入 config.toml。它在原处被修改。
switch-kimi-undefined = { $file } 中的 default_model 指定了“{ $model }”，但 models 下没有定义它：Kimi 无法以此启动。
switch-kimi-no-alias = { $file } 的 models 下没有定义“{ $model }”，而 Kimi 无法以未定义的 default_model 启动。请先在那里添加它，并写明 provider 和 max_context_size。
switch-kimi-no-alias-there = { $file } 的 models 下没有定义 { $provider } 的“{ $model }”，而 Kimi 无法以未定义的 default_model 启动。请先在那里添加它，并写明 provider 和 max_context_size。
switch-kimi-no-key = 设置了 { $variable } 却没有设置 { $key }：Kimi Code 启动时会停止。请取消前者，或同时设置后者。
# Claude Code
switch-claude-invalid = { $file } 第 { $line } 行第 { $column } 列：{ $problem }。Claude Code 只接受严格的 JSON：它会拒绝整个文件并使用默认模型，在打印模式下没有任何提示。请先修正或删除该处。
switch-claude-left-out = Claude Code 会忽略整个 { $file }，其中的内容都不起作用。
switch-claude-no-object = { $file } 的内容不是 JSON 对象，因此 Claude Code 会忽略它。
switch-claude-wrong-type = { $file } 中的 { $key }（第 { $line } 行）的类型不被 Claude Code 接受：它会忽略整个文件并使用默认模型。
switch-claude-policy = 无法读取管理员的 { $file }，此版本的 Claude Code 因此无法启动。
switch-claude-bom = { $file } 以字节顺序标记开头。终端程序会忽略该标记；桌面应用则会不加提示地忽略整个文件。它会保持原样；删除它是安全的。
switch-claude-env-block = { $file } 中的 env.ANTHROPIC_MODEL 起决定作用，已经修改；只要它存在，该文件中的 model 就不起作用。
switch-claude-env-block-exported = { $file } 中的 env.ANTHROPIC_MODEL 起决定作用，已经修改；只要它存在，该文件中的 model 就不起作用。环境中的 ANTHROPIC_MODEL 会被文件中的值代替。
switch-claude-env-default = 没有指定模型，因此由 { $file } 中的 env.ANTHROPIC_DEFAULT_MODEL 决定，已经修改。
switch-claude-no-default-model = { $file } 中的 env.{ $name } 在此版本中不起作用；从 { $gate } 起才有效。
switch-claude-hosted = { $file } 中的 env.{ $name } 不起作用：模型和提供方由宿主程序管理（CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST）。
switch-claude-versions = 安装了多个版本的 Claude Code。ANTHROPIC_DEFAULT_MODEL 从 { $gate } 起有效，之前会被忽略。
switch-claude-alias-file = { $file } 中的 env.{ $variable } 把“{ $alias }”指向“{ $target }”：实际请求的是后者。
switch-claude-alias-shell = 变量 { $variable } 把“{ $alias }”指向“{ $target }”：实际请求的是后者。
switch-claude-not-allowed = { $file } 中的 { $key } 不允许使用“{ $model }”：Claude Code 会改用默认模型。
switch-claude-two-credentials = 同时设置了 ANTHROPIC_AUTH_TOKEN 和 ANTHROPIC_API_KEY，Claude Code 会同时发送两者。过期的一个可能使网关出错；请只保留一个。
switch-claude-provider = Claude Code 没有指定提供方的键；现在使用“{ $present }”。“{ $wanted }”需要另外的变量：地址和凭据。
switch-claude-shape = “{ $model }”不是“{ $provider }”的名称形式，而 Claude Code 现在使用它。

# Gemini CLI
switch-gemini-no-object = { $file } 的内容不是 JSON 对象，而该工具需要它。
switch-gemini-stops = { $file } 保持现状时 Gemini CLI 无法启动。没有写入任何内容。
switch-gemini-stops-here = { $file } 保持现状时，Gemini CLI 无法在此文件夹中启动。在其他地方以你自己的文件为准。
switch-gemini-unguarded = Gemini CLI 会跳过 { $file }：除超级用户外，其他人也可以更改它或它上层的文件夹。
switch-gemini-bom = { $file } 以字节顺序标记开头，Gemini CLI 会把它当作错误。请将其删除。
switch-gemini-flat-ignored = { $file } 中的 model 是单独的文本（“{ $model }”），此版本会忽略它：实际使用“auto”。切换时会把它转换为带有 name 的对象。
switch-gemini-flat-inert = { $file } 中的 model 是单独的文本（“{ $model }”），此版本会忽略它。
switch-gemini-flat-migrated = { $file } 中的 model 是单独的文本（“{ $model }”），这是旧的写法。此版本在启动时仍会转换它；从 0.24 起会被忽略。
switch-gemini-versions = 同时安装了会读取 { $file } 中单独的 model 文本的 Gemini CLI 版本和会忽略它的版本。
switch-gemini-reference = { $file } 中的模型原来是一个引用（{ $reference }）；它已换成普通名称，该变量不再起作用。
switch-gemini-provider = Gemini CLI 只使用 Google 的 Gemini 接口；无法在设置中选择“{ $wanted }”。

# Qwen Code
switch-qwen-renames = { $file } 第 { $line } 行第 { $column } 列：{ $problem }。Qwen Code 下次启动时会把整个文件改名为 settings.json.corrupted，并使用默认设置继续运行。启动之前请先修正该处。
switch-qwen-left-out = Qwen Code 会忽略整个 { $file }，其中的内容都不起作用。
switch-qwen-stops = { $file } 保持现状时 Qwen Code 无法启动。
switch-qwen-bom = { $file } 以字节顺序标记开头。此版本会忽略它；旧版本会把文件改名移走。删除它是安全的。
switch-qwen-bom-fatal = { $file } 以字节顺序标记开头，Qwen Code 会因此认为文件已损坏。请删除该标记。
switch-qwen-flat-ignored = { $file } 中的 model 是单独的文本（“{ $model }”），在带有 $version 的文件中会被忽略。切换时会把它转换为带有 name 的对象。
switch-qwen-flat-migrated = { $file } 中的 model 是单独的文本（“{ $model }”），这是旧的写法。Qwen Code 下次启动时会自行转换该文件。
switch-qwen-env-block = 其他地方没有指定模型，因此由 { $file } 中的 env.{ $name } 决定，已经修改。
switch-qwen-reference = { $file } 中的模型原来是一个引用（{ $reference }）；它已换成普通名称，该变量不再起作用。
switch-qwen-provider = { $file } 没有列出“{ $provider }”的模型，Qwen Code 也没有这种认证方式。
switch-qwen-not-listed = “{ $model }”不在认证方式“{ $type }”的模型列表中。请在 modelProviders 中添加，或选择列出的模型。
switch-qwen-listed-elsewhere = “{ $model }”列在认证方式“{ $other }”之下，而不是当前选择的“{ $type }”。请同时切换提供方。
switch-qwen-versions = 安装了多个版本的 Qwen Code。{ $gate } 之前变量优先于 model.name，之后不再如此。


# Droid
switch-droid-masked = { $file } 的级别高于你自己的设置，而在 Droid 中级别高的优先：那里使用“{ $value }”，与你的文件无关。
switch-droid-local = { $winner } 覆盖 { $file }：后者中的模型“{ $value }”不会被使用。
switch-droid-no-custom = 添加到 { $file } 的模型中没有标识为“{ $model }”的。

# OpenClaw
switch-openclaw-no-file = { $file } 不存在：OpenClaw 尚未设置。请先运行 openclaw onboard。
switch-openclaw-reference = { $file } 中的旧值“{ $value }”引用了变量；现在由固定的名称代替。
switch-openclaw-unset = { $file } 中的“{ $value }”引用了未设置的变量：OpenClaw 会拒绝整个文件。
switch-openclaw-unlisted = { $file } 的 { $key } 中没有列出 { $model }，而它起允许列表的作用：OpenClaw 可能拒绝该模型。请把它加入其中。
switch-openclaw-provider = OpenClaw 用提供方加模型来指定模型，而目前还没有设置模型。请说明“{ $model }”属于哪个提供方。

# Continue
switch-continue-no-file = { $file } 不存在：Continue 还没有自己的配置。
switch-continue-no-entry = { $file } 没有定义用于对话的模型。请先在那里或在 Continue 中添加一个。
switch-continue-no-provider = { $file } 没有定义 { $provider } 的对话模型，而切换无法带来它的地址和密钥。请先在那里添加一个。
switch-continue-reference = { $file } 中的旧模型是一个引用；现在由固定的名称代替。
switch-continue-memory = 模型的选择保存在 { $file } 中，运行中的 Continue 会从内存写入它。切换前请关闭编辑器。
switch-continue-stale = { $file } 选择了“{ $name }”，但没有同名的对话模型：Continue 会改用第一个，即“{ $first }”。
switch-continue-profile = 在此文件夹中，Continue 使用配置 { $profile }，其模型“{ $value }”优先于本地配置。
switch-continue-hub = 在此文件夹中，Continue 使用配置 { $profile }，其模型在别处定义；本地配置在这里不会被使用。

# Cursor CLI
switch-cursor-refused = Cursor 在 { $file } 中以对象形式保存模型，旁边还有其他选择记录，并会自行修复该文件：单独修改一个键并不安全。请用 --model { $model } 启动，或在其中使用 /model。

# Amp, Roo Code
switch-amp-refused = Amp 没有模型设置：由它的模式选择模型。请在 Amp 中选择模式。
switch-roo-refused = Roo Code 把模型保存在编辑器的数据库和机密存储中，无法通过文件切换。它已于 2026 年 5 月 15 日停止服务。

# 工具可以使用什么
switch-model-unverified = 还没有迹象表明 { $provider } 可以使用 { $model }：提供方的列表中没有，也没有见到过回答。
switch-provider-in-doubt = “{ $model }”会按你写的原样写入：{ $tool } 把“{ $first }”当作提供方。如果它是 { $provider } 的模型，请加上 --provider { $provider }。
switch-reach-other-tool = 此目标是 { $owner } 的登录，{ $tool } 没有。
switch-reach-unknown = { $tool } 的文件没有说明它可以把 { $model } 的请求发送到哪里。
switch-reach-no-endpoint = { $tool } 没有位于 { $host } 的提供方。请先在其中设置。
switch-reach-dialect = { $tool } 会以 { $speaks } 访问 { $provider }，而目前只知道 { $model } 能以 { $needs } 回答。
switch-reach-not-listed = { $tool } 列出了 { $provider } 的模型，其中没有 { $model }。请先添加。
switch-reach-credential = { $tool } 中的 { $provider } 需要变量 { $variable }，但它没有设置。
