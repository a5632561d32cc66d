# Kinds, families, scopes, roles: the words of the whole program.

kind-available = Available
kind-at_capacity = At capacity
kind-rate_limited = Your rate limit
kind-usage_limit = Your plan limit
kind-quota_exhausted = Credit used up
kind-auth = Key refused
kind-forbidden = Not allowed
kind-model_not_found = Model not found
kind-bad_request = Request refused
kind-content_filtered = Blocked by a filter
kind-misconfigured = Settings wrong
kind-server_error = Server error
kind-timeout = No answer in time
kind-network = Network trouble
kind-unrecognized = Answer not understood
kind-skipped = Not probed

family-available = Available
family-full = Full
family-limited = Limited
family-fault = Fault
family-blocked = Blocked
family-unknown = Unknown

scope-model = this model only
scope-account = your account
scope-provider = the whole provider
scope-local = this machine

role-primary = Primary
role-backup = Backup
role-emergency = Emergency
role-none = Watched
role-hint-primary = The model that you want first: asked most closely while it is not free, and you are told when it is free again.
role-hint-backup = Proposed when those before it are not free.
role-hint-emergency = The last resort: asked seldom, until no primary or backup model is free; then as often as they are.
role-hint-none = Recorded and shown, never proposed.

source-probe = probe
source-tool-log = session log
source-relay = relay
