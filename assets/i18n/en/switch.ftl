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

# Copilot CLI
switch-copilot-inert = The model in { $file } is not used while Copilot has an endpoint of its own.
switch-copilot-no-model = { $variable } is set and no model with it: Copilot stops at its start. Set COPILOT_MODEL, or start it with --model.
switch-copilot-own-endpoint = { $endpoint } points Copilot at an endpoint of its own, where its settings name no model. Set { $variable } instead, or start it with --model.
switch-copilot-provider = Copilot’s settings name models of GitHub alone; “{ $provider }” would need variables of its own endpoint.
switch-copilot-old-file = Since version 1.0.35 the model “{ $value }” in { $file } is ignored; settings.json counts.
switch-copilot-versions = Several versions of Copilot are installed. Those before { $gate } read { $file } instead.
