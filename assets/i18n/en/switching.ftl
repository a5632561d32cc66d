# The command line.

switch-env-file = { $file } cannot be read as lines of NAME=value: { $reason }
switch-unknown-tool = There is no tool “{ $tool }” here. Those that can be switched: { $known }. Read, but not switched, as their model is in no file that may be changed: { $others }.
switch-needs-file = { $tool } is started with a path: name its file with --file PATH.
switch-other-provider = { $model } is a model of yours at { $provider }, but the tool keeps asking its present provider. To use yours: { $command }
switch-other-provider-refused = { $model } is a model of yours at { $provider }, but the tool keeps asking its present provider, and cannot be switched to yours: { $reason }
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

# The Switch screen, the dialog and the buttons of the Board. $tool and $model are names.

switching-title = Which tool uses what?
switching-tools = Tools
switching-look = Look again
switching-everywhere = Use everywhere…
switching-everywhere-help = Makes every tool that can reach a model use it; the diffs are shown first
switching-menu-model = { $model } · { $state }
switching-menu-everywhere = Everywhere…
switching-loading = Reading your tools…
switching-loading-words = Their settings files, their environment and their versions
switching-empty = No tool was found
switching-empty-words = Set up a coding tool, then look again. Its settings are looked for here:
switching-row = { $tool }, uses { $model }
switching-cannot = cannot be switched
switching-not-watched = { $model } · not watched
switching-own-default = its own default
switching-model-at = { $model } at { $provider }
switching-fact-uses = Uses
switching-fact-decided = Decided by
switching-fact-effect = A switch
switching-fact-running = Running
switching-decided-default = the tool itself; no file names a model
switching-decided-file = { $key } in { $file }
switching-decided-variable = the variable { $name }
switching-effect-at-once = counts at once
switching-effect-next-command = counts from the next command on
switching-effect-next-session = counts for new sessions only
switching-effect-restart = counts after a restart of the program
switching-running = { $n ->
    [one] 1 session
   *[other] { $n } sessions
}
switching-running-keep = { $n ->
    [one] 1 session, which keeps its model until it ends
   *[other] { $n } sessions, which keep their model until they end
}
switching-running-line = Running now: { $sessions }.
switching-choices = Switch to
switching-no-choices = None of your models can be used here.
switching-unreached = { $n ->
    [one] 1 model cannot be used here
   *[other] { $n } models cannot be used here
}
switching-free-since = Free since { $time }
switching-in-use = in use
switching-use = Use
switching-no-tool = no tool
switching-use-model = Use { $model } in { $tool }
switching-use-in = Use in { $tool }
switching-use-menu = Use in…
switching-used-by = In use by { $tools }
switching-button = { $label }: { $model }
switching-asks = Show the diff before writing
switching-asks-help = Without it a click on Use writes at once. Undo stays.
switching-warning = Worth knowing

# The journal
switching-journal = Journal
switching-journal-empty = Nothing was switched yet. Every switch stands here, with its way back.
switching-change = { $tool }: { $before } → { $after }
switching-note-unfinished = not finished; look at the file
switching-note-dropped = nothing was written
switching-note-undone = taken back
switching-note-overwritten = { $time } the tool wrote the old value back
switching-note-working = seen working { $time }
switching-note-failing = first answer { $time }: { $kind }
switching-note-waiting = no answer seen yet
switching-undo = Undo
switching-redo = Redo
switching-undo-of = Undo { $change }
switching-redo-of = Redo { $change }

# The dialog
switching-planning = Reading the tool’s files…
switching-title-use = { $tool } is to use { $model }
switching-title-everywhere = Use { $model } everywhere
switching-title-undo = { $tool }: undo the switch
switching-title-redo = { $tool }: redo the switch
switching-title-conflict = Changed meanwhile
switching-title-failed = Not possible
switching-arrow = { $before } → { $after }
switching-nothing = { $tool } uses { $model } already; there is nothing to write.
switching-nothing-to-walk = The file holds that value already; nothing in it changes.
switching-outside = Outside this project: { $model }
switching-other-roles = Other roles than the default one: { $model }
switching-skips = Left out
switching-skip-there = uses it already
switching-write = Write
switching-write-all = Write all
switching-writing = Writing…
switching-cancel = Cancel
switching-close = Close
switching-leave = Leave it
switching-overwrite = Overwrite…
switching-key-enter = Enter
switching-key-escape = Esc
switching-conflicts-words = Somebody changed this value since. Nothing is written over it without your word.
switching-conflict-ours = It was left as
switching-conflict-now = It is now
switching-conflict-goal = It would become
switching-absent = nothing

# What is said afterwards
switching-done-at-once = { $tool } uses { $model } now
switching-done-next-command = { $tool } uses { $model } from the next command on
switching-done-next-session = { $tool } uses { $model } in new sessions
switching-done-restart = { $tool } uses { $model } after its next start
switching-done-several = { $n } tools are switched
switching-show-journal = Show
switching-undone = { $tool } is back at { $model }
switching-redone = { $tool } is at { $model } again
switching-settled-done = A switch of { $tool } was interrupted. It was written; undo it on the Switch screen if you like.
switching-settled-dropped = A switch of { $tool } was interrupted before anything was written.
switching-settled-open = A switch of { $tool } was interrupted half-way. Look at its files on the Switch screen.
switching-nothing-to-undo = There is nothing to undo.
switching-nothing-to-redo = There is nothing to redo.
switching-journal-damaged = { $count ->
    [one] { $count } line of the journal { $file } cannot be read (damaged, or written by a newer version). It is passed over: what only it tells of cannot be undone.
   *[other] { $count } lines of the journal { $file } cannot be read (damaged, or written by a newer version). They are passed over: what only they tell of cannot be undone.
}
switching-fails-old = What was shown is out of date. Choose again.
switching-fails-gone = This tool or model is not there any more. Look again.
switching-fails-unverified = The file was written and reads otherwise than planned: another program changed it at once. Look again.
switching-fails-journal = The journal { $file } cannot be used: { $reason }. Nothing was switched. Check the folder’s rights and the free space.
switching-fails-changed = { $file } changed since it was read. Nothing was written; choose again.
switching-fails-locked = { $file } is locked by the tool. Close its settings and try again.
switching-fails-io = { $file } could not be written: { $reason }. Check its rights and the free space.
switching-fails-missing = { $file } is not there any more; there is nothing to take back in it.
switching-fails-readonly = { $file } cannot be written. Make it writable and try again.
switching-fails-unreadable = { $file } cannot be read: { $reason }. Make it readable and try again.
switching-fails-edit = { $file } cannot be changed as it is now: { $reason }
switch-pin = { $key } in { $file } pins “{ $model }”.
switch-pin-unfit = { $key } in { $file } is not a plain model name; change it by hand.

# vacancy doctor

switch-doctor-about-settings = settings
switch-doctor-about-folders = folders
switch-doctor-about-record = record
switch-doctor-about-journal = journal
switch-doctor-settings-none = There are no settings yet. “vacancy setup” makes the first file.
switch-doctor-settings-link = { $path } is a link to { $to }, where nothing is. Bring that file back, or remove the link: “vacancy setup” then makes a new one.
switch-doctor-folders-good = The folders of settings, record and cache can be written.
switch-doctor-unwritable-data = { $path } cannot be written ({ $reason }): no answer goes into the record, and no switch into the journal. { $cure }
switch-doctor-unwritable-config = { $path } cannot be written ({ $reason }): settings cannot be changed from the window. { $cure }
switch-doctor-unwritable-cache = { $path } cannot be written ({ $reason }): the window forgets its place and looks, and the demo cannot start. { $cure }
switch-doctor-unwritable-backups = { $path } cannot be written ({ $reason }): the record has no backups. { $cure }
switch-doctor-cure-full = Make room on that disk.
switch-doctor-cure-read-only = Mount that file system for writing, or name another folder with --data DIR.
switch-doctor-cure-rights = Give yourself the right to write there, or name another folder with --data DIR.
switch-doctor-cure-in-the-way = What stands in the place of the folder is none: move it away, or name another folder with --data DIR.
switch-doctor-cure-folder = A folder stands in the place of the file: move it away, or name another folder with --data DIR.
switch-doctor-cure-other = Look what keeps it from being written, or name another folder with --data DIR.
switch-doctor-key-unset = The variable { $name }, which holds the key of { $provider }, is not set here: its models are not probed. Set it, or name another place in the settings.
switch-doctor-settings-good = The settings are valid: { $targets ->
    [one] { $targets } target
   *[other] { $targets } targets
}.
switch-doctor-record-none = There is no record yet; the window or “vacancy watch” begins one.
switch-doctor-record-good = The record is whole ({ $size }, write-ahead log included).
switch-doctor-record-link = { $path } is a link to { $to }, where nothing is. If the record lies on a disk that is not there now, bring it back; otherwise remove the link.
switch-doctor-record-bad = The record cannot be read: { $reason }
switch-doctor-shell = { $name } is set by your login shell and not here: a tool that is started from a terminal uses it. Switches in the window take it into account.
switch-doctor-tool-good = { $tool } uses { $model }, decided by { $place }.
switch-doctor-tool-default = { $tool } uses its own default model.
switch-doctor-chain-none = { $tool } reaches none of the models of its chain “{ $chain }”, so its rules can do nothing: { $reason } Name another chain in [switch.{ $id }], or add models that it reaches.
switch-doctor-chain-one = { $tool } reaches only { $model } of its chain “{ $chain }”, so its rules have nothing to go to. Name another chain in [switch.{ $id }], or add models that it reaches.
switch-doctor-tool-running = { $tool }: a running session (process { $pid }) was started with { $name } set; it keeps that until it ends.
switch-doctor-unfinished = Switch { $id } of { $tool } was not finished: part of its files is written. Switch it once more, or look at the files: { $files }
switch-doctor-settled = Switch { $id } of { $tool } was interrupted; its files are whole, and the journal is closed.
switch-doctor-good = Nothing stands in the way.
switch-doctor-found = { $count ->
    [one] One thing needs your attention.
   *[other] { $count } things need your attention.
}

# Projects whose own files name a model.
switching-projects = Projects
switching-projects-empty = A project may name a model of its own, which then counts there in place of yours. Name the folders that hold your projects, or drop one here: what they name stands here and can be switched.
switching-projects-add = Folder
switching-projects-hint = ~/code
switching-projects-do = Look through it
switching-projects-remove = Leave out
switching-projects-remove-of = Leave out { $folder }
switching-projects-remove-help = It is not looked through any more. Nothing in it changes.
switching-projects-gone = is not there
switching-projects-nameless = { $n ->
    [one] Left out: { $folder }, as its name is not UTF-8 text. Rename it to have it looked through.
   *[other] Left out: { $n } folders whose names are not UTF-8 text, the first { $folder }. Rename them to have them looked through.
}
switching-projects-none = names no model for your tools
switching-projects-whole = A folder is named from the root, or from ~.
switching-projects-missing = There is no folder { $folder }. Check the path.
switching-projects-known = { $folder } is looked through already.
switching-in-project = { $tool } in { $folder }
switching-pin = { $place }: { $model }
switching-pin-overrides = counts there in place of your { $model }
switching-pin-same = names the same as your own setting
switching-pin-idle = does not count: something stronger decides there
switching-use-other = Switch…
switching-use-other-in = Switch { $place }
switching-title-pin = { $tool } is to use { $model } in { $folder }
switching-optional = Also switch { $part }
switching-done-pin = { $tool } is set to { $model } in { $folder }
