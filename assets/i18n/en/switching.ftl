# The command line.

switch-env-file = { $file } cannot be read as lines of NAME=value: { $reason }
switch-unknown-tool = There is no tool “{ $tool }” here. Known are: { $known }
switch-needs-file = { $tool } is started with a path: name its file with --file PATH.
switch-needs-yes = Nothing was written: there is no terminal to ask at. Add --yes to write it.
switch-confirm = Write this? [y/N]
switch-done = { $tool } is switched (number { $id }; “vacancy undo { $id }” takes it back).
switch-not-verified = The file was written, and reads otherwise than planned: another program changed it at once. Look at it with “vacancy tools”.
switch-planned = { $tool }: { $before } → { $after }
switch-nothing = { $tool } uses { $model } already; there is nothing to write.
switch-refused = { $tool } was not switched: { $reason }
switch-own-default = its own default
switch-effect-at-once = The running program notices it by itself.
switch-effect-next-command = It counts from the next command on.
switch-effect-next-session = It counts for new sessions; running ones keep their model.
switch-effect-restart = Restart the program for it to count.
switch-changed-since = Somebody changed the value since. With --yes it is overwritten all the same.
switch-conflict = { $key } in { $file }: we had left “{ $ours }”, now it is “{ $now }”, it would become “{ $goal }”
switch-absent = nothing
switch-undone = { $tool }: switch { $id } is taken back.
switch-redone = { $tool }: switch { $id } is done again.
switch-no-tools = No tool with a configuration was found. Name one to see where it would be looked for.
switch-place-file = { $key } in { $file }
switch-place-variable = variable { $name }
