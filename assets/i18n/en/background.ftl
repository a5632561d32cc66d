# The program in the background: autostart, tray, closing, a second start.

background-autostart-on = Vacancy starts with your session: { $command }
    The entry is { $place }
background-autostart-off = Vacancy does not start with your session.
    `vacancy autostart on` would write { $place }
background-autostart-disabled = The entry is there, but switched off in the settings of your desktop: { $place }
    `vacancy autostart on` switches it on again.
background-autostart-moved = The entry is there, but starts another file or another record: { $place }
    `vacancy autostart on` sets it to { $command }
background-autostart-edited = Somebody changed the entry: { $place }
    It is left as it is. `vacancy autostart on --force` replaces it, `off --force` removes it.
background-autostart-begin = It begins with the next session; now with
    { $command }
background-autostart-is-edited = somebody changed { $place }, so it is left as it is. --force replaces or removes it
background-autostart-no-home = no home folder is known; set HOME
background-autostart-not-text = this path cannot be written into an entry, move the program: { $path }
background-autostart-fails = { $error }: { $place }
