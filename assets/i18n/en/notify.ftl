# Notices outside the window: the desktop, the hook, the webhook, and the test of them.

notify-test = Test notice
notify-test-body = Vacancy reaches you here.
notify-test-button = Good
notify-test-without-buttons = This desktop shows no buttons. Notices can be answered in Activity.
notify-test-desktop = Desktop: shown by { $name }
notify-test-desktop-plain = Desktop: shown by { $name }, which has no buttons; answer notices in Activity
notify-test-desktop-failed = Desktop: { $reason }
notify-test-answered = Desktop: its button was clicked
notify-test-hook = Hook: { $program } ran in { $milliseconds } ms
notify-test-hook-failed = Hook: { $reason }
notify-test-no-hook = Hook: none in the settings
notify-test-webhook = Webhook: taken, status { $status }
notify-test-webhook-failed = Webhook: { $reason }
notify-test-no-webhook = Webhook: none in the settings
notify-test-sending = Sending a test notice…
notify-test-running = A test notice is already on its way
notify-test-settings = The settings cannot be read; see `vacancy doctor`

notify-no-bus = there is no session bus ({ $reason }). Start Vacancy inside the desktop session
notify-no-service = no program shows notices ({ $reason }). Start one, for example dunst or mako
notify-hangs = the program that shows notices does not answer. Restart it
notify-died = the program that shows notices ended. Try again
notify-refused = the program that shows notices refused ({ $reason }). Its own log may say why

notify-hook-missing = { $program } was not found. Give its full path in [notices] hook
notify-hook-not-started = { $program } could not be started ({ $reason }). Check that it may be run
notify-hook-failed = { $program } failed ({ $status }): { $output }
notify-hook-slow = { $program } did not end in { $seconds } s and was stopped. Set a longer timeout, or make it quicker
notify-hook-loud = { $program } printed more than { $kib } KiB and was stopped. Have it print less
notify-hook-stopped = { $program } was stopped together with Vacancy

notify-webhook-no-address = its address cannot be read: { $reason }
notify-webhook-bad-address = what is kept as its address is no http or https address. Check where it is kept
notify-webhook-wrong-form = its address is not whole for the form { $form }. An ntfy address ends with the topic, a Telegram address has ?chat_id=
notify-webhook-unreachable = not reachable ({ $reason }). Check the network and the address
notify-webhook-broken = the connection broke ({ $reason }). The notice may be there all the same
notify-webhook-timeout = no answer in { $seconds } s. The notice may be there all the same
notify-webhook-refused = refused (status { $status }): { $why }
notify-webhook-refused-silently = refused (status { $status }). Check the address, and the security settings of the bot
notify-webhook-busy = busy (status { $status }) after { $tries } tries. Wait a minute, and try again
notify-webhook-client = no HTTP client ({ $reason }). See `vacancy doctor`
