# Switching: warnings and refusals. Codes and what they mean are in src/switch/warning.rs.

switch-unreadable = { $file } cannot be read: { $reason }
switch-invalid-for-tool = { $file } is not accepted by the tool: line { $line }, column { $column }: { $problem }. The tool ignores or rejects the whole file until that is mended.
switch-parse-error = { $file } is broken at line { $line }, column { $column }: { $problem }. Nothing was written; mend that place and try again.
switch-cannot-edit = { $key } in { $file } cannot be changed without touching something else: { $problem }
switch-readonly = { $file } cannot be written (it lies at { $target }). Change it where it is made, or make it writable.
switch-no-file = { $file } is not there, and the tool would not read a new one.
switch-value-is-key = The value for { $key } looks like a key. Keys are never written by a switch.
switch-masked-by-file = { $key } in { $file } wins over your file: “{ $value }” is used there.
switch-masked-by-variable = The variable { $key } wins over the file: “{ $value }” is used while it is set.
switch-key-missing = { $provider } needs the variable { $variable }, which is not set.
switch-wrong-type = { $key } in { $file } (line { $line }) is not a text, which the tool needs there.
switch-bom = { $file } begins with a byte order mark. The tool reads over it; it stays as it is.
switch-duplicate-key = { $key } stands more than once in { $file }. The tool uses the last one, and that one is edited.
switch-llm-bom = { $file } begins with a byte order mark, which llm takes for a part of the model’s name. Remove it.

# aider
switch-aider-fatal = aider stops at its start because of { $file }.
switch-aider-no-keys = { $file } holds no key at all, and aider stops at its start because of that.
switch-aider-dotenv = AIDER_MODEL in { $file } wins over the YAML file: “{ $value }” is used there.
switch-aider-dotenv-over-shell = AIDER_MODEL in { $file } wins: “{ $value }” is used. It also replaces the exported AIDER_MODEL={ $exported }, so the shell’s value is not the winner.
switch-aider-dotenv-empty = AIDER_MODEL is set to nothing in { $file }: aider does not look at the file’s model then, and picks one by the keys it finds. Take the line out.
switch-aider-variable-empty = AIDER_MODEL is exported as an empty value: aider does not look at the file’s model then, and picks one by the keys it finds. Unset it.
switch-aider-file-empty = model in { $file } is an empty text: it keeps your own file’s model from being read there. Take the line out.
switch-aider-switch = The old switch “{ $key }” in { $file } chooses { $value } only while no model is set; it has no effect beside a model.
switch-aider-switch-inert = The old switch “{ $key }” in { $file } has no effect, as a model is set.
switch-aider-set-env = AIDER_MODEL={ $value } under set-env in { $file } has no effect: aider sets it after the model was chosen.
switch-aider-alias = “{ $name }” is an alias here: it stands for { $value }, which its name does not say.

# opencode
switch-opencode-agent = The agent { $agent }, the default agent, sets its own model: { $key } in { $file } is “{ $value }”. A fresh session uses that; the model of your file is for the other agents.
switch-opencode-variable = The variable { $variable } names { $file }, whose model “{ $value }” wins over your file.
switch-opencode-inline = The variable { $variable } holds settings itself, and their model “{ $value }” wins over your file.
switch-opencode-empty = model is set to nothing in { $place } ({ $value }): it hides the model of your file there.
switch-opencode-reference = model in { $file } was the reference { $value }; it is replaced by the name itself.
switch-opencode-disabled = { $key } in { $file } keeps opencode from loading { $provider }: a session with this model fails until that is changed.
switch-opencode-unlisted = { $model } is not among the models that are listed for { $provider } in opencode’s files.
switch-opencode-no-provider = opencode needs a provider before the model’s name ({ $model }): name one.
switch-opencode-fatal = opencode does not start with { $place } as it is.
switch-opencode-several = There are several files: { $files }. What { $first } says wins over the others.
switch-opencode-other = { $file } names a model too; it is not used, as { $first } wins.

# Crush
switch-crush-fatal = Crush does not start with { $file } as it is.
switch-crush-other = models.large in { $file } is not used while { $first } sets it.
switch-crush-unlisted = { $model } is not among the models of { $provider } in Crush’s files. Crush replaces a model that it does not know by a default without a word, and saves that.
switch-crush-no-provider = Crush needs a provider beside the model { $model }: name one.

# Goose
switch-goose-broken = Goose does not read { $file } as it is: it goes back to config.yaml.bak or begins anew.
switch-goose-twice = { $key } stands more than once in { $file }; Goose refuses such a file.
switch-goose-comments = Goose writes { $file } anew at its next own change, and the comments in it are lost then.
switch-goose-lead = GOOSE_LEAD_MODEL is set: the first turns of each session go to “{ $value }”.
switch-goose-empty = The variable { $variable } is set to nothing, and wins over the file all the same. Unset it.
switch-goose-inert = { $keys } in { $file } have no effect: they are not used once active_provider is set.
switch-goose-too-new = active_provider and providers in { $file } are read since Goose { $gate } only; this version uses GOOSE_MODEL.
switch-goose-versions = Several versions of Goose are installed. Those before { $gate } read GOOSE_MODEL and not the providers’ entries.
switch-goose-old-shape = { $file } has the old shape; Goose rewrites it at its next start.
switch-goose-no-provider = Goose needs a provider beside the model { $model }: name one.

# LiteLLM
switch-litellm-fatal = The proxy does not start with { $file } as it is.
switch-litellm-include = { $file } is included but is not there: the proxy does not start.
switch-litellm-database = The proxy may load models from its database (store_model_in_db): what stands there counts beside the file.
switch-litellm-no-group = No entry of model_list leads to { $model }, so “{ $name }” in { $file } cannot be pointed at it. Add an entry first.
switch-litellm-no-name = There is no public name “{ $name }”. There are: { $names }.
switch-litellm-which = Which public name is to be pointed elsewhere? Name it with --alias: { $names }.
switch-litellm-balanced = “{ $name }” is a load-balanced group of { $count } entries in { $file }. Which of them should change cannot be told: change them by hand, or give the group an alias of its own.
switch-litellm-reference = The model of “{ $name }” was the reference { $value }; it is replaced by the name itself.
switch-litellm-base = “{ $name }” keeps its own api_base and key, which may not belong to { $provider }.

# claude-code-router
switch-ccr-database = { $file } is not read any more: the settings are in { $database }. Change the route in the program itself.
switch-ccr-version = Since version { $gate } claude-code-router keeps its settings in a database and reads { $file } only once. Change the route in the program itself.
switch-ccr-versions = Several versions of claude-code-router are installed. Since version { $gate } the file is not read.
switch-ccr-fatal = claude-code-router does not start with { $file } as it is.
switch-ccr-provider = { $file } defines no provider “{ $provider }”. Add it under Providers first.
switch-ccr-unlisted = { $model } is not among the models that { $file } lists for { $provider }.
switch-ccr-reference = Router.default in { $file } was the reference { $value }; it is replaced by the name itself.
switch-ccr-script = The script { $script } (CUSTOM_ROUTER_PATH) is asked before Router.default, and may choose another model.
switch-ccr-role = There is no route “{ $name }”. There are: { $names }.

# llm
switch-llm-alias = “{ $name }” is an alias in { $file }: it stands for { $value }, which its name does not say.

# Copilot CLI
switch-copilot-inert = The model in { $file } is not used while Copilot has an endpoint of its own.
switch-copilot-no-model = { $variable } is set and no model with it: Copilot stops at its start. Set COPILOT_MODEL, or start it with --model.
switch-copilot-own-endpoint = { $endpoint } points Copilot at an endpoint of its own, where its settings name no model. Set { $variable } instead, or start it with --model.
switch-copilot-provider = Copilot’s settings name models of GitHub alone; “{ $provider }” would need variables of its own endpoint.
switch-copilot-old-file = Since version 1.0.35 the model “{ $value }” in { $file } is ignored; settings.json counts.
switch-copilot-versions = Several versions of Copilot are installed. Those before { $gate } read { $file } instead.

# Codex
switch-codex-no-home = CODEX_HOME names { $folder }, which is not there: Codex does not start. Make the folder, or unset the variable.
switch-codex-stops = Codex does not start with { $file } as it is. Nothing was written.
switch-codex-stops-here = Codex does not start in { $folder } while { $file } is like this. Elsewhere your own file counts.
switch-codex-bom = { $file } begins with a byte order mark. Codex reads over it; it stays, until Codex itself writes the file.
switch-codex-changed = { $file } changed while it was read. Try again.
switch-codex-legacy-profile = The profile “{ $profile }” is selected in { $file } and decides; its model was set, as the root model is not used. This shape stops newer versions (0.134 and later) from starting: there, profiles are files of their own.
switch-codex-inert-profile = The profile “{ $profile }” in { $file } is ignored by this version: the root model counts. Since 0.134 a profile is a file of its own, { $profile }.config.toml, chosen with --profile.
switch-codex-fatal-profile = Line { $line } of { $file } (profile = "{ $profile }") makes this version of Codex refuse to start, so no model can take effect. Move the table [profiles.{ $profile }] to { $profile }.config.toml beside the file and delete the selector; then start with --profile { $profile }, or leave it out.
switch-codex-no-such-profile = Line { $line } of { $file } selects the profile “{ $profile }”, which does not exist: Codex does not start. Define [profiles.{ $profile }], or delete the line.
switch-codex-undefined-provider = model_provider names “{ $provider }”, which no [model_providers.{ $provider }] defines: Codex does not start. Define it, or name another provider.
switch-codex-no-such-provider = { $file } defines no provider “{ $provider }”; with that name Codex would not start. Define [model_providers.{ $provider }] first.
switch-codex-wrong-type = { $key } in { $file } (line { $line }) has a type that Codex does not accept there.
switch-codex-model-table = model in { $file } (line { $line }) is a table; Codex needs a text and does not start. “{ $meant }” seems to be meant: replace the table by the root key model = "{ $meant }".
switch-codex-wire-chat = wire_api = "chat" of the provider “{ $provider }” (line { $line } of { $file }) is no longer supported, and Codex does not start with it. Set it to "responses", if the endpoint speaks that.
switch-codex-reserved = [model_providers.{ $provider }] (line { $line } of { $file }) defines a built-in provider again: Codex does not start. Give it another name, or set openai_base_url instead.
switch-codex-nameless = [model_providers.{ $provider }] (line { $line } of { $file }) has no name: Codex does not start. Add name = "…".
switch-codex-trust-level = trust_level of the project { $project } (line { $line } of { $file }) is neither "trusted" nor "untrusted": Codex does not start.
switch-codex-approval = approval_policy = "untrusted" (line { $line } of { $file }) is no longer supported: Codex does not start. Remove the line.
switch-codex-empty-model = { $key } in { $file } is an empty text: Codex loads the file, but no session starts. Name a model there, or delete the line.
switch-codex-stripped = Codex takes { $keys } out of the project’s { $file }: a project may name a model, not a provider. What it names is sent to “{ $provider }”, your own provider.
switch-codex-no-provider-key = provider (line { $line } of { $file }) is not a key of Codex and is ignored; model_provider is the right one.
switch-codex-in-table = { $key } on line { $line } of { $file } stands below the header [{ $table }] and belongs to that table, where Codex ignores it. A root key must stand above the first header.
switch-codex-base-url = OPENAI_BASE_URL is set (host { $host }): this version of Codex sends requests of its built-in provider there. From 0.120 on the variable is ignored; openai_base_url in the file replaces it.
switch-codex-hides-sessions = Codex lists only sessions of the provider in use: with “{ $after }” those of “{ $before }” are hidden from its list, not deleted. They can still be resumed by id, and come back with the old provider.
switch-codex-versions-profile = Codex { $lowest } and { $highest } are both installed. Before 0.134 a selected profile in the file decides; since then the selector stops Codex, and the tables are ignored.
switch-codex-versions-stripped = Codex { $lowest } and { $highest } are both installed. Before 0.129 the project’s model_provider counts, since then it is ignored.
switch-codex-versions-base-url = Codex { $lowest } and { $highest } are both installed. OPENAI_BASE_URL moves the built-in provider before 0.120 and is ignored since then.
switch-codex-versions-fatal = Codex { $lowest } and { $highest } are both installed. A provider in the file is accepted by the older one and stops the newer one.

# Zed
switch-zed-block = { $winner } in { $file } wins here, and that key is the one to change; { $key } in the same file is not used.
switch-zed-assistant = { $file } still has the model under its old name “assistant”, which Zed reads as “agent”. It is changed where it stands.
switch-zed-assistant-inert = The model under “assistant” in { $file } is not used: “agent” has taken its place.
switch-zed-project = Zed takes no agent settings from a project: the model in { $file } has no effect.
switch-zed-provider = { $file } names no model yet, and Zed drops a model without its provider. Say which provider it should use.

# Cline
switch-cline-no-file = { $file } is not there: this Cline keeps its model in the editor’s own storage, or has not been set up yet. Choose the model in Cline itself.
switch-cline-version = { $file } is not a version 1 file of providers; Cline drops it as a whole.
switch-cline-address = “{ $address }” in { $file } is not an address; Cline drops the whole file for it. It has to begin with https:// or http://.
switch-cline-no-provider = { $file } names no last used provider. Choose one in Cline first, or say which.
switch-cline-provider = { $file } has no provider “{ $provider }”. Set it up in Cline once, so that it has its key.
switch-cline-memory = A running Cline keeps these settings in memory and writes them back to { $file }. Close it before switching, and start it again after.

# Kimi
switch-kimi-broken = Kimi does not start with { $file } as it is.
switch-kimi-json = { $file } is of an older Kimi, which takes it over into config.toml at its next start. It is changed where it stands.
switch-kimi-undefined = default_model in { $file } names “{ $model }”, which is not defined under models: Kimi does not start with it.
switch-kimi-no-alias = { $file } defines no “{ $model }” under models, and Kimi does not start with a default_model that is not defined. Add it there first, with its provider and max_context_size.
switch-kimi-no-alias-there = { $file } defines no “{ $model }” of { $provider } under models, and Kimi does not start with a default_model that is not defined. Add it there first, with its provider and max_context_size.
switch-kimi-no-key = { $variable } is set without { $key }: Kimi Code stops at its start. Unset the one, or set the other too.
# Claude Code
switch-claude-invalid = { $file }, line { $line }, column { $column }: { $problem }. Claude Code reads strict JSON: it rejects the whole file and uses its default model, in print mode without a word. Mend or remove that place first.
switch-claude-left-out = Claude Code leaves out the whole of { $file }; nothing in it is in force.
switch-claude-no-object = { $file } holds no JSON object, so Claude Code leaves it out.
switch-claude-wrong-type = { $key } in { $file } (line { $line }) has a type that Claude Code does not accept: it leaves out the whole file and uses its default model.
switch-claude-policy = The administrator’s { $file } cannot be read, and this version of Claude Code does not start with it.
switch-claude-bom = { $file } begins with a byte order mark. The terminal program reads over it; the desktop app silently ignores the whole file. It stays as it is; removing it is safe.
switch-claude-env-block = env.ANTHROPIC_MODEL in { $file } decides and was set; the model key of that file is not used while it is there.
switch-claude-env-block-exported = env.ANTHROPIC_MODEL in { $file } decides and was set; the model key of that file is not used while it is there. The exported ANTHROPIC_MODEL is replaced by the file’s value.
switch-claude-env-default = env.ANTHROPIC_DEFAULT_MODEL in { $file } decides, as no model is named, and was set.
switch-claude-no-default-model = env.{ $name } in { $file } has no effect in this version; it counts from { $gate } on.
switch-claude-hosted = env.{ $name } in { $file } has no effect: the host program keeps models and providers to itself (CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST).
switch-claude-versions = Several versions of Claude Code are installed. ANTHROPIC_DEFAULT_MODEL counts from { $gate } on and is ignored before.
switch-claude-alias-file = “{ $alias }” is mapped to “{ $target }” by env.{ $variable } in { $file }: that is the model that is asked for.
switch-claude-alias-shell = “{ $alias }” is mapped to “{ $target }” by the variable { $variable }: that is the model that is asked for.
switch-claude-not-allowed = { $key } in { $file } does not allow “{ $model }”: Claude Code uses its default model instead.
switch-claude-two-credentials = ANTHROPIC_AUTH_TOKEN and ANTHROPIC_API_KEY are both set, and Claude Code sends both. A stale one can confuse a gateway; keep one.
switch-claude-provider = Claude Code has no key that names a provider; it uses “{ $present }” now. “{ $wanted }” needs other variables: the address and the credential.
switch-claude-shape = “{ $model }” has not the form of names at “{ $provider }”, which Claude Code asks now.

# Gemini CLI
switch-gemini-no-object = { $file } holds no JSON object, which the tool needs there.
switch-gemini-stops = Gemini CLI does not start with { $file } as it is. Nothing was written.
switch-gemini-stops-here = Gemini CLI does not start in this folder while { $file } is like this. Elsewhere your own file counts.
switch-gemini-unguarded = Gemini CLI skips { $file }: others than the superuser may change it or a folder above it.
switch-gemini-bom = { $file } begins with a byte order mark, which Gemini CLI takes for an error. Remove it.
switch-gemini-flat-ignored = model in { $file } is a flat text (“{ $model }”), which this version ignores: it would be “auto”. A switch converts it to an object with a name.
switch-gemini-flat-inert = model in { $file } is a flat text (“{ $model }”), which this version ignores.
switch-gemini-flat-migrated = model in { $file } is a flat text (“{ $model }”), an old shape. This version still migrates it at its start; from 0.24 on it is ignored.
switch-gemini-versions = Versions of Gemini CLI that read the flat model in { $file } and versions that ignore it are both installed.
switch-gemini-reference = The model in { $file } was a reference ({ $reference }); it has been replaced by a plain name, and the variable no longer counts.
switch-gemini-provider = Gemini CLI asks Google’s Gemini interface alone; “{ $wanted }” cannot be chosen in its settings.

# Qwen Code
switch-qwen-renames = { $file }, line { $line }, column { $column }: { $problem }. At its next start Qwen Code renames the whole file to settings.json.corrupted and goes on with default settings. Mend that place before you start it.
switch-qwen-left-out = Qwen Code leaves out the whole of { $file }; nothing in it is in force.
switch-qwen-stops = Qwen Code does not start with { $file } as it is.
switch-qwen-bom = { $file } begins with a byte order mark. This version reads over it; older ones rename the file away. Removing it is safe.
switch-qwen-bom-fatal = { $file } begins with a byte order mark, with which Qwen Code takes the file for corrupt. Remove the mark.
switch-qwen-flat-ignored = model in { $file } is a flat text (“{ $model }”), which is ignored in a file with a $version. A switch converts it to an object with a name.
switch-qwen-flat-migrated = model in { $file } is a flat text (“{ $model }”), an old shape. Qwen Code migrates the file itself at its next start.
switch-qwen-env-block = env.{ $name } in { $file } decides, as nothing else names a model there, and was set.
switch-qwen-reference = The model in { $file } was a reference ({ $reference }); it has been replaced by a plain name, and the variable no longer counts.
switch-qwen-provider = { $file } lists no models for “{ $provider }”, and Qwen Code has no auth type of that name.
switch-qwen-not-listed = “{ $model }” is not on the list of models for the auth type “{ $type }”. Add it under modelProviders, or name a listed one.
switch-qwen-listed-elsewhere = “{ $model }” is listed for the auth type “{ $other }”, not for “{ $type }”, which is selected. Switch the provider as well.
switch-qwen-versions = Several versions of Qwen Code are installed. Before { $gate } a variable goes before model.name, since then not.


# Droid
switch-droid-masked = { $file } lies above your own settings, and in Droid the higher level wins: “{ $value }” is used there, whatever your file says.
switch-droid-local = { $winner } lies over { $file }: the model “{ $value }” in the latter is not used.
switch-droid-no-custom = No model that was added to { $file } has the id “{ $model }”.

# OpenClaw
switch-openclaw-no-file = { $file } is not there: OpenClaw has not been set up. Run openclaw onboard first.
switch-openclaw-reference = The old value “{ $value }” in { $file } was a reference to a variable; a fixed name takes its place.
switch-openclaw-unset = “{ $value }” in { $file } refers to a variable that is not set: OpenClaw rejects the whole file.
switch-openclaw-unlisted = { $model } is not listed under { $key } in { $file }, which acts as an allow-list: OpenClaw may refuse the model. Add it there.
switch-openclaw-provider = OpenClaw names a model together with its provider, and no model is set yet. Say which provider “{ $model }” belongs to.

# Continue
switch-continue-no-file = { $file } is not there: Continue has no configuration of its own yet.
switch-continue-no-entry = { $file } defines no model for chat. Add one there, or in Continue, first.
switch-continue-no-provider = { $file } defines no model of { $provider } for chat, and a switch cannot bring its address and key. Add one there first.
switch-continue-reference = The old model in { $file } was a reference; a fixed name takes its place.
switch-continue-memory = The choice between models lies in { $file }, which a running Continue writes from memory. Close the editor before switching.
switch-continue-stale = { $file } selects “{ $name }”, and no model for chat has this name: Continue falls back to the first, “{ $first }”.
switch-continue-profile = In this folder Continue uses the profile { $profile }, whose model “{ $value }” wins over the local configuration.
switch-continue-hub = In this folder Continue uses the profile { $profile }, whose models are defined elsewhere; the local configuration is not used here.

# Cursor CLI
switch-cursor-refused = Cursor keeps its model in { $file } as an object beside other records of the choice, and repairs the file itself: one key alone cannot be changed safely. Start it with --model { $model }, or use /model there.

# Amp, Roo Code
switch-amp-refused = Amp has no setting for a model: its modes choose the model. Choose the mode in Amp.
switch-roo-refused = Roo Code keeps its model in the editor’s database and secret storage, where no file can switch it. It was shut down on 15 May 2026.

# What a tool can reach
switch-model-unverified = Nothing tells yet that { $model } can be used at { $provider }: neither the provider’s own list nor an answer that was seen.
switch-provider-in-doubt = “{ $model }” is written as you named it: { $tool } takes “{ $first }” for its provider. If it is a model of { $provider }, add --provider { $provider }.
switch-reach-other-tool = This target is a login of { $owner }, which { $tool } does not have.
switch-reach-unknown = The files of { $tool } do not say where it can send requests for { $model }.
switch-reach-no-endpoint = { $tool } has no provider at { $host }. Set one up there first.
switch-reach-dialect = { $tool } would ask { $provider } by { $speaks }, but { $model } is known to answer by { $needs } only.
switch-reach-not-listed = { $tool } lists its models of { $provider }, and { $model } is not among them. Add it there first.
switch-reach-credential = { $provider } in { $tool } needs the variable { $variable }, which is not set.
