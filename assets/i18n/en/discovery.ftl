# Area: discovery: what is found at the first start.

discovery-reason-active = The model that { $tool } uses now
discovery-reason-named = Named in the settings of { $tool }
discovery-reason-commented-out = Commented out in the settings of { $tool }
discovery-reason-subscription = { $tool } is set to its own login: known from its own logs, never probed
discovery-reason-key = { $variable } is set
discovery-reason-local-server = { $name } runs on this machine

discovery-nothing = No coding tool and no key was found. A settings file to fill in by hand can still be written.
discovery-tools = Tools found:
discovery-no-model = no model set
discovery-unreadable = not understood: { $path }
discovery-keys = Keys found (names only, values are not kept):
discovery-proposals = Models that can be watched (x: ticked):
discovery-cost = about { $requests } requests and { $tokens } tokens a day
discovery-cost-on-demand = probed only when you ask
discovery-cost-never = never probed: known from the tool's logs
discovery-total = Ticked together: about { $requests } requests and { $tokens } tokens a day.
discovery-none-ticked = None of them is ticked: `vacancy setup --tick MODEL` ticks one.
discovery-no-such = There is no model `{ $model }` in the list; `vacancy setup` prints it.
discovery-unset-key = { $variable } is not set, so what needs it is not ticked. Set it and look again.
discovery-left-out = { $tool } is there, but its model cannot be asked: the key stands in the tool's own file, or the name is known to the tool alone. Name key and model in the settings file.
discovery-ask = Write the settings file with what is ticked? [y/N]
discovery-needs-yes = Nothing was written. Run it again with --yes to write the settings file with what is ticked.
discovery-written = Written: { $path }. Run `vacancy watch`, or open the window.

discovery-login-none = no login in its files
discovery-login-api-key = API key
discovery-login-subscription = subscription

discovery-place-process = in this environment
discovery-place-login-shell = in the login shell
discovery-place-tool-file = in the tool's own file
