# Area: discovery: what is found at the first start.

discovery-reason-active = The model that { $tool } uses now
discovery-reason-named = Named in the settings of { $tool }
discovery-reason-commented-out = Commented out in the settings of { $tool }
discovery-reason-subscription = { $tool } is signed in with a subscription: known from its own logs, never probed
discovery-reason-key = { $variable } is set
discovery-reason-local-server = { $name } runs on this machine
