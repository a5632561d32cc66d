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
background-autostart-now-on = Vacancy starts with your session from now on. The entry is { $place }
background-autostart-now-off = Vacancy does not start with your session any more.

background-tray-line = { $model } · { $state }
background-tray-since = { $state } since { $time }
background-tray-paused = Paused
background-tray-paused-until = Paused until { $time }
background-tray-offline = Your own network is down
background-tray-nothing = Nothing is watched yet
background-tray-free = Free now: { $model }
background-tray-none-free = Nothing in your chain is free
background-tray-none-known = Nothing is known yet
background-tray-more = { $n } more in the window
background-tray-tool = Use in { $tool }
background-tray-pause = Pause for an hour
background-tray-resume = Go on watching
background-tray-quiet = Do not disturb for an hour
background-tray-glance = Glance: the small window
background-tray-show = Show Vacancy
background-tray-quit = Quit Vacancy

background-close-title = Keep watching in the background?
background-close-words-tray = Vacancy can go on in the tray and tell you when your model is free. A click on its icon brings the window back.
background-close-words-minimised = Your desktop shows no tray, so Vacancy would go on minimised and tell you when your model is free. Starting it again brings the window back.
background-close-keep = Remember my answer
background-close-tray = Keep watching in the tray
background-close-minimise = Keep watching, minimised
background-close-quit = Quit
background-close-set-ask = Closing the window asks from now on.
background-close-set-tray = Closing the window keeps watching from now on. The command list (Ctrl+K) can change it.
background-close-set-quit = Closing the window quits from now on. The command list (Ctrl+K) can change it.

background-runs-in-terminal = a Vacancy without a window keeps this record (process { $pid }). End it to open the window here, or look with `vacancy now`
background-is-shown = Vacancy runs already; its window was brought to the front.
