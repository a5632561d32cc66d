# The window. Sentence case; no full stop on single sentences in labels.

# Times and numbers
ui-list-of-clauses = { $before }; { $next }
ui-labelled = { $label }: { $words }
ui-today = Today
ui-yesterday = Yesterday
ui-weekday-1 = Mon
ui-weekday-2 = Tue
ui-weekday-3 = Wed
ui-weekday-4 = Thu
ui-weekday-5 = Fri
ui-weekday-6 = Sat
ui-weekday-7 = Sun
# $weekday, $day: a date such as "Mon", "30 Dec"; $year: its year.
ui-date-year = { $weekday } { $day } { $year }
ui-month-1 = Jan
ui-month-2 = Feb
ui-month-3 = Mar
ui-month-4 = Apr
ui-month-5 = May
ui-month-6 = Jun
ui-month-7 = Jul
ui-month-8 = Aug
ui-month-9 = Sep
ui-month-10 = Oct
ui-month-11 = Nov
ui-month-12 = Dec
ui-day-month = { $day } { $month }
ui-span-now = under 1 min
ui-span-minutes = { $n } min
ui-span-full-hours = { $hours } h
ui-span-hours = { $hours } h { $minutes } min
ui-span-full-days = { $days } d
ui-span-days = { $days } d { $hours } h
ui-seconds = { $n } s
ui-millis = { $n } ms
ui-list-separator = ,{" "}

# Names
ui-app = Vacancy
ui-app-demo = Vacancy (demo)

# Parts of the window, said by a screen reader
ui-name-screens = Screens
ui-name-models = Models
ui-name-status = Status line

# Board: the headline. $model is the name of a model
ui-board-kicker = Free now
ui-board-kicker-last-known = Last known
ui-headline-first-free = { $model } is your first free model
ui-headline-primary-free = { $model } is free
ui-headline-was-free = { $model } was free
ui-headline-nothing-was-free = Nothing was free
ui-headline-looking = Looking…
ui-headline-unknown = Nothing is known yet
ui-headline-no-targets = Nothing is watched yet
ui-headline-no-chain = Your chain is empty
# $nothing is ui-headline-nothing, drawn strong; $states is a list such as "2 full, 1 at your limit"
ui-headline-nothing = Nothing is free
ui-headline-nothing-yet = Nothing is free yet
ui-headline-nothing-known = Nothing is known to be free
ui-headline-nothing-free = { $nothing }, { $states }
ui-count-available = { $n } free
ui-count-full = { $n } full
ui-count-limited = { $n } at your limit
ui-count-fault = { $n } with a fault
ui-count-blocked = { $n } blocked
ui-count-unknown = { $n } unknown
ui-subline-no-targets = Add what was found on this machine, or a provider by hand in Settings
ui-subline-no-targets-file = There is a settings file already; add a model to it
ui-subline-no-primary = No target has the role primary, so nothing is proposed first. Give roles in Settings.
ui-subline-last-known = What you see is from before { $time }
ui-subline-looking = { $model } is being asked. The first answers take a few seconds.
ui-subline-never-probed = { $model } is known from its tool's own session logs. Vacancy never asks it.
ui-subline-not-running = Last looked at { $time }, { $age } ago. Keep the window or `vacancy watch` running for a fresh picture.
ui-subline-never-looked = Nothing was looked at yet. Open the window or run `vacancy watch`.
ui-subline-too-little = Too little is known of { $model } yet: open the window, run `vacancy watch`, or ask again.
ui-subline-left-alone = { $model } is not probed. It becomes known from session logs, or when you ask.
ui-subline-refused-in-sessions = Probes of { $model } pass, but your own sessions are refused. The sessions count.
ui-subline-primary-free = Your first choice, free since { $time }. Its newest answer began after { $latency }.
ui-subline-primary-free-unmeasured = Your first choice, free since { $time }
ui-subline-primary-was-free = { $model } was free when it was last seen at { $time }, { $age } ago. Whether it is free now is not known.
ui-subline-primary-was = { $model } was last seen at { $time }, { $age } ago. What it is now is not known.
ui-subline-primary-full = { $model } has been full since { $time }. Waiting or another model helps; nothing is wrong on your side.
ui-subline-primary-other = { $model } since { $time }: { $kind }

# Board: the table
ui-column-role = Role
ui-column-model = Model
ui-column-state = State
ui-column-first-token = First token
ui-column-strip = Last 24 hours
ui-column-next = Next look
ui-row-summary = { $model }, { $provider }, { $role }: { $state }, { $advice }
ui-state-full-for = Full for { $age }
ui-state-kind-for = { $kind } for { $age }
ui-state-slow = Available, slow
ui-state-was-available = Was free { $age } ago
ui-state-was-full = Was full { $age } ago
ui-state-was-limited = Was at your limit { $age } ago
ui-state-was-fault = Had a fault { $age } ago
ui-state-was-blocked = Was blocked { $age } ago
ui-state-was-unknown = Was unclear { $age } ago
ui-state-looking = Looking…
ui-state-confirming = Being confirmed
ui-state-not-known = Not known yet
ui-state-not-watched = Not probed
ui-state-refused-in-sessions = Refused in your sessions
ui-advice-not-running = not looked at yet
ui-advice-first-look = first answer in a few seconds
ui-advice-stale = not known now
ui-advice-confirming = last answer: { $kind }
ui-advice-on-demand = probed only when you ask
ui-advice-never-probed = known from session logs alone
ui-advice-refused-in-sessions = use another model
ui-advice-free-for = free for { $age }
ui-advice-at_capacity = another model, or wait
ui-advice-rate_limited = wait; it ends by itself
ui-advice-limited-left = { $left } left; it ends by itself
ui-advice-usage_limit = wait for the window to reset
ui-advice-quota_exhausted = add credit, or use another
ui-advice-auth = check the key
ui-advice-forbidden = check plan and permission
ui-advice-model_not_found = check the model's name
ui-advice-bad_request = check the provider's settings
ui-advice-content_filtered = check the provider's policy
ui-advice-misconfigured = check the base URL
ui-advice-server_error = their fault; try again later
ui-advice-timeout = too slow; try again later
ui-advice-network = check your connection
ui-advice-no-server = nothing listens at its address: start the server
ui-kind-no-server = Local server not running
ui-advice-no-key = set the key, or refer to it another way
ui-kind-no-key = No key found
ui-advice-unrecognized = read the detail
ui-advice-skipped = not probed
ui-next-needs-user = not until you change something
ui-next-on-demand = only when you ask
ui-next-never = never probed, known from logs
ui-next-budget = today's budget is spent, again { $time }
ui-next-paused = paused
ui-next-paused-until = paused until { $time }
ui-next-offline = when the network is back
ui-next-now = now
ui-next-at = { $time }, in { $left }
ui-next-none = not planned
ui-next-probe = Next probe { $time }, { $model }
ui-next-probe-running = { $n ->
    [one] Probing 1 model
   *[other] Probing { $n } models
}
ui-next-probe-paused = Probing is paused
ui-next-probe-none = No probe planned

# Board: the detail panel
ui-detail-subtitle = { $provider } · { $role }
ui-fact-verdict = Verdict
ui-fact-stale = Now
ui-fact-since = Since
ui-fact-helps = What helps
ui-fact-next = Next look
ui-fact-first-token = First token
ui-fact-spent = Today
ui-verdict = { $kind }, { $scope }
ui-verdict-none = No answer yet
ui-stale = Not known. { $words }.
ui-mark-stale = Last known
ui-verdict-unconfirmed = { $kind }, not confirmed yet
ui-verdict-refused-in-sessions = Probes pass, your sessions are refused
ui-since-confirmed = { $time }, from { $n ->
    [one] 1 sample
   *[other] { $n } samples
}
ui-since-confirmed-many = { $time }, from { $n } samples or more
ui-helps-both = another model, or waiting
ui-helps-wait = waiting
ui-helps-switch = another model
ui-helps-user = only a change on your side
ui-newest = { $latency }, newest answer
ui-slow = { $latency }, newest answer, slow
ui-evidence = Evidence
ui-evidence-status = { $time } { $source }, HTTP { $status }
ui-evidence-no-status = { $time } { $source }
ui-evidence-rule = rule { $rule }
ui-recent = Recent
ui-recent-tail = { $source }, { $latency }
ui-recent-none = No samples yet
ui-explanation = In plain words
ui-explanation-next = What to do
ui-button-probe-all = Probe now
ui-button-probe = Probe now
ui-button-probe-of = Probe { $model } now
ui-button-copy-curl = Copy as curl
ui-button-explain = Explain
ui-button-add-found = Add what was found…
ui-button-add-model = Add a model in Settings…
ui-button-show-all = Show all

# Board: the cards below the table
ui-lately = Lately
ui-spending = Probing today
ui-spending-more = and { $n } more
ui-spent-requests = { $number ->
    [one] 1 request
   *[other] { $n } requests
 }
ui-spent-requests-of = { $number ->
    [one] 1 request, limit { $cap }
   *[other] { $n } requests, limit { $cap }
 }
ui-spent-tokens = about { $n } tokens
ui-spent-tokens-of = about { $n } tokens, limit { $cap }
ui-spent-target = { $requests } of { $cap } requests, about { $tokens } tokens

# Activity. $model is the name of a model, $state a family's word
ui-activity-title = Activity
ui-activity-count = { $total ->
    [one] 1 event
   *[other] { $total } events
}
ui-activity-count-of = { $shown } of { $total } events
ui-activity-found = { $model }: { $state }
ui-activity-found-available = { $model } is available
ui-activity-became-available = { $model } is available again
ui-activity-became-full = { $model } became full
ui-activity-became = { $model }: { $state }
ui-activity-offline = Your network went down
ui-activity-online = Your network is back
ui-activity-woke = The machine slept, or its clock jumped; that time is a gap
ui-activity-paused = Probing was paused
ui-activity-resumed = Probing goes on
ui-activity-settings = Settings were read again
ui-activity-switched = { $tool } switched: { $before } → { $after }
ui-activity-switched-rule = { $tool } switched by its rule: { $before } → { $after }
ui-activity-switch-undone = { $tool }, undone: { $before } → { $after }
ui-activity-switch-redone = { $tool }, redone: { $before } → { $after }
ui-activity-trouble = Trouble inside Vacancy
ui-activity-filter = Filter
ui-activity-filter-hint = Model or words
ui-activity-all = All
ui-activity-notices = Notices
ui-activity-switches = Switches
ui-activity-done = { $label }: done
ui-hush-off = Notices: shown
ui-hush-until = Not disturbed until { $time }
ui-hush-on = Not disturbed
ui-hush-hours = Quiet hours until { $time }
ui-hush-settings = Not disturbed, by the settings
ui-hush-help = Whether notices are shown on the desktop. Board and Activity know everything in any case.
# An offer that cannot be taken any more, and why.
ui-activity-over = { $label }: { $why }
ui-activity-over-answered = you chose otherwise
ui-activity-over-overtaken = something newer took its place
ui-activity-over-not-free = not free now
ui-activity-over-old = more than a day ago
ui-activity-over-already = already in use
ui-activity-over-unused = not needed, no tool uses another model for it
ui-activity-empty = Quiet so far
ui-activity-empty-filtered = Nothing matches
ui-activity-empty-filtered-words = { $total } events are hidden by the filter
ui-activity-clear = Clear the filter

# First run
ui-welcome-headline-found = Found on this machine
ui-welcome-headline-looking = Looking on this machine…
ui-welcome-headline-nothing = Nothing found on this machine
ui-welcome-subline-found = Choose what to watch. Before you press Start, no settings are written and nothing leaves this machine.
ui-welcome-subline-looking = Key variables and the files of coding tools are read, not changed. Nothing is sent.
ui-welcome-subline-nothing = No key variable and no coding tool was found. Add a provider by hand, write a settings file, or look at the demo first.
ui-welcome-origin = { $provider } · { $reason }
ui-welcome-cost = { $requests } requests, about { $tokens } tokens a day
ui-welcome-cost-none = sends no requests
ui-welcome-row-summary = { $model }, { $origin }, { $cost }
ui-welcome-total = { $n ->
    [one] 1 model: { $requests } requests, about { $tokens } tokens a day
   *[other] { $n } models: { $requests } requests, about { $tokens } tokens a day
}
ui-welcome-total-none = { $n ->
    [one] 1 model: no requests are sent
   *[other] { $n } models: no requests are sent
}
ui-welcome-remarks = Worth knowing
ui-welcome-shell-only = { $variable } is set in your login shell alone: start Vacancy from a terminal, or name the key by a command
ui-welcome-unreadable = { $file } could not be read
ui-welcome-start = Start
ui-welcome-demo = Try the demo
ui-welcome-look-again = Look again
ui-welcome-copy = Copy the example
ui-welcome-add = Add a provider…
ui-welcome-file = Settings file
ui-language-english = English
ui-language-chinese = 中文

# Banners
ui-banner-settings-gone = The settings file is not there
ui-banner-settings = The settings file is not valid
ui-banner-store = The record cannot be written
ui-banner-offline = Your network has been down since { $time }
ui-banner-offline-words = Nothing is probed and nothing is counted until it is back
ui-banner-portal = A login page has answered for everyone since { $time }
ui-banner-portal-words = Sign in to the network in your browser. Nothing is counted meanwhile
ui-banner-paused = Probing is paused
ui-banner-paused-until = Probing is paused until { $time }
ui-banner-paused-words = What you see grows old
ui-banner-reload = Read again
ui-banner-resume = Resume

# Status line
ui-status-watching = { $n ->
    [one] Watching 1 model
   *[other] Watching { $n } models
}
ui-status-spent = { $number ->
    [one] Today 1 request, about { $tokens } tokens
   *[other] Today { $requests } requests, about { $tokens } tokens
 }
ui-status-spent-of = Today { $requests } of { $cap } requests, about { $tokens } tokens
ui-status-clock = { $zone } · { $time }
ui-badge-demo = Demo
ui-badge-paused = Paused
ui-badge-offline = Offline

# Commands: palette, key list, buttons
ui-palette = Commands
ui-palette-hint = Command or model
ui-palette-nothing = Nothing matches
ui-keys-title = Keys
ui-keys-table = In the table
ui-keys-table-words = arrows, Home, End, Enter
ui-command-board = Board
ui-command-board-help = What can I use now?
ui-command-heatmap = Heatmap
ui-command-heatmap-help = When is it free?
ui-command-sheet = Cheat sheet
ui-command-sheet-help = What should I use, and when?
ui-command-heatmap-week = Heatmap: hour and weekday
ui-command-heatmap-week-help = The week of one model, and of all models small
ui-command-heatmap-hours = Heatmap: hour and model
ui-command-heatmap-hours-help = Who is free at which hour
ui-command-heatmap-days = Heatmap: days
ui-command-heatmap-days-help = The days of one model as they were
ui-command-heatmap-table = Heatmap: picture or table
ui-command-heatmap-table-help = The same figures as rows
ui-command-sheet-span-all = Habits from all of the record
ui-command-sheet-span-all-help = Older weeks count less
ui-command-sheet-span-eight-weeks = Habits from the last 8 weeks
ui-command-sheet-span-eight-weeks-help = Leave out what is older
ui-command-sheet-span-four-weeks = Habits from the last 4 weeks
ui-command-sheet-span-four-weeks-help = Leave out what is older
ui-command-sheet-copy = Copy the cheat sheet as text
ui-command-sheet-copy-help = Tomorrow, the week and every model in words
ui-command-history = History
ui-command-history-help = What was when?
ui-command-switch = Switch
ui-command-switch-help = Which tool uses what?
ui-command-use = Use { $model } in { $tool }
ui-command-use-help = Shows what would be written in the tool’s file, and writes it
ui-command-use-selected = Use the selected model
ui-command-use-selected-help = In the tool that was switched last
ui-command-undo = Undo the last switch
ui-command-undo-help = Shows what would be written, and writes it
ui-command-redo = Redo the last switch
ui-command-redo-help = Does again what was taken back
ui-command-look-at-tools = Read the tools again
ui-command-look-at-tools-help = Which model each of them uses, and why
ui-command-history-day = History: last day
ui-command-history-day-help = Show the last 24 hours
ui-command-history-week = History: last week
ui-command-history-week-help = Show the last 7 days
ui-command-history-month = History: last month
ui-command-history-month-help = Show the last 30 days
ui-command-history-year = History: last year
ui-command-history-year-help = Show the last 365 days
ui-command-history-all = History: all
ui-command-history-all-help = Show everything that was ever recorded
ui-command-history-table = History: picture or table
ui-command-history-table-help = The same figures as rows
ui-command-history-csv = Export what is shown as CSV
ui-command-history-csv-help = The samples in view, with the filters
ui-command-history-json = Export what is shown as JSON
ui-command-history-json-help = The samples in view, with the filters
ui-command-history-jsonl = Export what is shown as JSON Lines
ui-command-history-jsonl-help = The samples in view, with the filters
ui-command-history-png = Export the picture as PNG
ui-command-history-png-help = The picture as it is shown
ui-command-activity = Activity
ui-command-activity-help = What happened?
ui-command-probe-all = Probe all now
ui-command-probe-all-help = One request to each model, whatever the schedule says
ui-command-hush-hour = Do not disturb for an hour
ui-command-hush-hour-help = No notices for an hour; Board and Activity know everything
ui-command-hush-tomorrow = Do not disturb until tomorrow
ui-command-hush-tomorrow-help = No notices until eight in the morning
ui-command-hush-always = Do not disturb until switched off
ui-command-hush-always-help = No notices until you want them again
ui-command-hush-off = Disturb me again
ui-command-hush-off-help = Notices are shown again; one says what is different
ui-command-pause = Pause or resume probing
ui-command-pause-help = No requests leave until you resume
ui-command-glance = Glance
ui-command-glance-help = Open or close the small window that stays above the others
ui-command-test-notice = Send a test notice
ui-command-test-notice-help = To the desktop, the hook and the webhook; what reached what is said
ui-command-filter = Filter activity
ui-command-filter-help = Put the cursor into the filter field
ui-command-palette = Commands
ui-command-palette-help = Find a command or a model by typing
ui-command-keys = Keys
ui-command-keys-help = List every shortcut
ui-command-back = Back
ui-command-back-help = Close what is open
ui-command-settings = Settings
ui-command-settings-help = What is it to do, and what may it cost?
ui-command-reload = Read the settings again
ui-command-reload-help = After you changed the settings file
ui-command-zoom-in = Zoom in
ui-command-zoom-in-help = Larger text, up to 200 %
ui-command-zoom-out = Zoom out
ui-command-zoom-out-help = Smaller text, down to 80 %
ui-command-zoom-reset = Usual size
ui-command-zoom-reset-help = Back to 100 %
ui-command-theme-system = Theme as the system has it
ui-command-theme-system-help = Dark or light, following the system
ui-command-theme-dark = Dark theme
ui-command-theme-dark-help = Light text on a dark ground
ui-command-theme-light = Light theme
ui-command-theme-light-help = Dark text on a light ground
ui-command-language-english = Language: English
ui-command-language-english-help = Show everything in English
ui-command-language-chinese = Language: 中文
ui-command-language-chinese-help = Show everything in Simplified Chinese
ui-command-select = Show { $model } ({ $provider })
ui-command-select-help = Open its detail on the Board
ui-command-probe = Probe { $model } ({ $provider })
ui-command-probe-help = One request to this model

# Toasts
ui-toast-probing = Probing
ui-toast-copied = Copied
ui-toast-busy = The engine is busy; try again in a moment
ui-toast-stopped = The engine has stopped; restart Vacancy
ui-toast-no-curl = This target has no request of ours to copy

# Reading what coding tools have written so far.
ui-welcome-logs = Read what the tools have written so far
ui-welcome-logs-words =
    { $tools }: { $files } files, { $size }. Only time, model and outcome of each request are taken; texts stay where they are. Costs no request.
ui-backfill-going = Reading the tools' logs
ui-backfill-paused = Reading of the tools' logs is paused
ui-backfill-failed = The tools' logs could not be read to their end
ui-backfill-words = { $files } of { $all } files, { $bytes } of { $size }; { $n } outcomes found so far
ui-backfill-pause = Pause
ui-backfill-resume = Go on
ui-backfill-cancel = Stop
ui-backfill-again = Try again
ui-backfill-done = The tools' logs are read: { $n } outcomes found
ui-backfill-cancelled = Stopped; what was read is kept
ui-kilobytes = { $n } KB
ui-megabytes = { $n } MB
ui-gigabytes = { $n } GB
ui-command-read-logs = Read the tools' logs
ui-command-read-logs-help = Takes the outcomes that coding tools have written so far into the record
ui-command-tools = Ask your subscription's tools…
ui-command-tools-help = Shows what a probe by a plan's own tool costs, and switches it on or off

# In the background.
ui-command-retire = Keep watching in the background
ui-command-retire-help = Put the window into the tray, or minimise it where there is none
ui-command-quit = Quit
ui-command-quit-help = End the program and stop watching
ui-command-close-ask = Ask when the window is closed
ui-command-close-ask-help = Closing the window asks whether to keep watching
ui-command-close-tray = Keep watching when the window is closed
ui-command-close-tray-help = Closing the window keeps watching in the tray, or minimised
ui-command-close-quit = Quit when the window is closed
ui-command-close-quit-help = Closing the window ends the program
ui-command-autostart-on = Start with the session
ui-command-autostart-on-help = Start Vacancy in the background at login
ui-command-autostart-off = Do not start with the session
ui-command-autostart-off-help = Take the entry for starting at login away
