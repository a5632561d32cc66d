# Area: cli. What verbs print.

# Something and what is said of it in passing.
cli-aside = { $text } ({ $aside })

cli-no-settings =
    there are no settings yet: { $path } does not exist. Run `vacancy setup` to make them from what is found on this machine, or `vacancy demo` to see the program at work.
cli-bad-settings = the settings file is not valid:
cli-already-running =
    Vacancy is already running on { $path }. Use that window, end it first, or name another folder with --data DIR.
cli-no-folder =
    { $path } stands where the folder of the record has to be, and is no folder. Move it away, or name another folder with --data DIR.
cli-no-lock = cannot lock { $path }: { $error }
cli-no-display =
    there is no display here. `vacancy watch` keeps the same board in the terminal, `vacancy now` prints it once.
cli-no-window =
    the window cannot be opened ({ $error }). `vacancy watch` keeps the same board in the terminal.
cli-demo-opens = The demo opens in a window of its own
cli-demo-fails = The demo cannot be started: { $error }
