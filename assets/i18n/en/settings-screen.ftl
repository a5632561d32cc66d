# Area: settings-screen: the Settings screen of the window.

settings-screen-title = Settings
settings-screen-loading = Reading the settings…
settings-screen-loading-words = They are shown as soon as the file is read.
settings-screen-search = Search in settings
settings-screen-search-hint = Search in settings
settings-screen-nothing = No setting speaks of “{ $query }”.
settings-screen-demo = The demo has no settings
settings-screen-demo-words = It runs on planted data in a folder of its own. Settings of the real program are shown in its own window.
settings-screen-undo = Undo
settings-screen-undo-of = Takes back: { $change }
settings-screen-undo-none = Nothing was changed here yet
settings-screen-redo = Redo
settings-screen-redo-of = Makes again: { $change }
settings-screen-written = Saved: { $change }
settings-screen-undone = Taken back: { $change }
# A field and its new value.
settings-screen-change = { $field }: { $value }
settings-screen-on = On
settings-screen-off = Off
settings-screen-empty = Not set
settings-screen-save = Save
settings-screen-discard = Discard
settings-screen-waiting = { $n ->
    [one] One value is not saved yet
   *[other] { $n } values are not saved yet
}
settings-screen-look = Read the file again
settings-screen-trouble = The settings file has mistakes
settings-screen-trouble-words = What was valid before stays in force. Correct these lines in your editor; until then nothing is changed here.

settings-screen-conflict = The file was changed meanwhile
settings-screen-conflict-words = Somebody else changed the settings file after it was read here. What they changed is shown below. Your change is still waiting: { $change }
settings-screen-conflict-undo = Somebody else changed the settings file since, so this cannot be taken back without losing their change: { $change }
settings-screen-conflict-merge = Make my change as well
settings-screen-conflict-drop = Leave mine out
settings-screen-conflict-keep = Keep the file as it is

settings-screen-section-general = General
settings-screen-section-background = Background
settings-screen-section-notices = Notices
settings-screen-section-schedule = Schedule
settings-screen-section-others = Status pages

settings-screen-ui-language = Language
settings-screen-ui-language-help = Of the window, of notices and of the command line.
settings-screen-ui-language-system = System
settings-screen-ui-language-english = English
settings-screen-ui-language-chinese = 简体中文
settings-screen-ui-theme = Theme
settings-screen-ui-theme-help = Dark, light, or as the system has it.
settings-screen-ui-theme-system = System
settings-screen-ui-theme-dark = Dark
settings-screen-ui-theme-light = Light
settings-screen-ui-high-contrast = High contrast
settings-screen-ui-high-contrast-help = Black and white with stronger lines, in either theme.
settings-screen-ui-zoom = Zoom
settings-screen-ui-zoom-help = Size of everything: 1 is usual, 1.5 half as large again. The window itself goes from 0.8 to 2.
settings-screen-ui-zone = Time zone
settings-screen-ui-zone-help = For times, for quiet hours and for where a day begins, such as Europe/Berlin. Empty: the system’s.

settings-screen-background-close = Closing the window
settings-screen-background-close-help = Whether watching goes on without the window.
settings-screen-background-close-ask = Ask
settings-screen-background-close-tray = Watch on
settings-screen-background-close-quit = Quit
settings-screen-background-tray = Icon in the tray
settings-screen-background-tray-help = Where the desktop has one. Takes hold at the next start.
settings-screen-background-start-hidden = Start without a window
settings-screen-background-start-hidden-help = Every start is as with --minimized.
settings-screen-autostart = Start with the session
settings-screen-autostart-off = Nothing is started by itself. The entry would be { $place }
settings-screen-autostart-on = Started by { $place }
settings-screen-autostart-disabled = Switched off in the desktop’s own settings: { $place }
settings-screen-autostart-moved = The entry starts another program or record. See `vacancy autostart`: { $place }
settings-screen-autostart-edited = Somebody changed the entry. See `vacancy autostart`: { $place }

settings-screen-notices-about = Which models
settings-screen-notices-about-help = The primary one, all of the chain, or all that are watched.
settings-screen-notices-about-primary = Primary
settings-screen-notices-about-chain = Chain
settings-screen-notices-about-all = All
settings-screen-notices-recovered = Free again
settings-screen-notices-recovered-help = When a model can be used again.
settings-screen-notices-full = Not free any more
settings-screen-notices-full-help = With the first model of the chain that is free.
settings-screen-notices-limits = Your own limits
settings-screen-notices-limits-help = When one is reached, and when it has started anew.
settings-screen-notices-provider = One notice a provider
settings-screen-notices-provider-help = When several of its models change together.
settings-screen-notices-flapping = One notice for what comes and goes
settings-screen-notices-flapping-help = In place of one for each change.
settings-screen-notices-reminders = Remind me every
settings-screen-notices-reminders-help = While a model is still not free, such as 30m. Empty: never.
settings-screen-notices-quiet = Quiet hours
settings-screen-notices-quiet-help = Such as 22:00-07:00, with commas between several. At their end one notice says what is different.
settings-screen-notices-do-not-disturb = Do not disturb
settings-screen-notices-do-not-disturb-help = No notices at all. Board and Activity know everything.
settings-screen-test = Test notice
settings-screen-test-help = By every way that the settings name: desktop, hook and webhook.
settings-screen-test-send = Send

settings-screen-schedule-every = Ask every
settings-screen-schedule-every-help = Time between two probes of a model of the chain, such as 10m. It varies by 20 %.
settings-screen-schedule-slow-every = Ask slowly every
settings-screen-schedule-slow-every-help = While nobody looks, and for models that no chain needs. Empty: three times as long.
settings-screen-schedule-confirm-down = Failures that count
settings-screen-schedule-confirm-down-help = In a row, before a model counts as not free: 1 to 6.
settings-screen-schedule-confirm-up = Successes that count
settings-screen-schedule-confirm-up-help = In a row, before a model counts as free: 1 to 6.
settings-screen-schedule-slow-above = Slow from
settings-screen-schedule-slow-above-help = A first token later than this is marked slow, such as 6s.
settings-screen-schedule-target-requests = Requests a day for each model
settings-screen-schedule-target-requests-help = At most, where a model has no limit of its own. Empty: no limit.
settings-screen-schedule-target-tokens = Tokens a day for each model
settings-screen-schedule-target-tokens-help = At most, where a model has no limit of its own. Empty: no limit.
settings-screen-schedule-provider-requests = Requests a day for each provider
settings-screen-schedule-provider-requests-help = At most, over all its models. Empty: no limit.
settings-screen-schedule-provider-tokens = Tokens a day for each provider
settings-screen-schedule-provider-tokens-help = At most, over all its models. Empty: no limit.
settings-screen-cost-title = What a day costs
settings-screen-cost-total = About { $requests } requests and { $tokens } tokens a day, at most { $mostrequests } and { $mosttokens }
settings-screen-cost-before = Before: { $total }
settings-screen-cost-whose = Provider and model
settings-screen-cost-usual = Usual day
settings-screen-cost-most = At most
settings-screen-cost = { $requests } requests · { $tokens } tokens
settings-screen-cost-none = Not asked by itself

settings-screen-context-status-pages = Ask status pages
settings-screen-context-status-pages-help = What providers say of themselves is shown beside your own record and never counted. Without a key, at most every five minutes.
settings-screen-metrics-listen = Metrics for Prometheus
settings-screen-metrics-listen-help = Address to listen on, such as 127.0.0.1:9464. Empty: not served. Takes hold at the next start.
