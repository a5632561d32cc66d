# Area: settings: what is wrong in vacancy.toml, and what to do about it.

settings-error = error
settings-warning = warning
# Joins a message and its hint.
settings-then = . { $hint }

settings-noun-provider = provider
settings-noun-target = target
settings-noun-chain = chain
settings-noun-rule = rule
settings-noun-preset = preset
settings-noun-tool = tool
settings-noun-dialect = dialect
settings-noun-value = value

settings-shape-text = a text in quotes
settings-shape-number = a whole number
settings-shape-decimal = a number
settings-shape-switch = true or false
settings-shape-texts = a list of texts, like ["a", "b"]
settings-shape-numbers = a whole number or a list of them
settings-shape-table = a table
settings-shape-tables = a list of tables, each begun with double brackets
settings-shape-duration = a length of time in quotes, like "10m"
settings-shape-key = a reference to a key
settings-shape-cap = a daily limit

# The file was deleted or moved while the program runs.
settings-gone = { $path } is not there (any more). What was read of it before stays in force: put the file back, or run `vacancy setup` to make one
settings-missing = there is no such settings file
settings-not-a-file = the settings file is not an ordinary file, so it is not read. Put a text file in its place
settings-too-large = the settings file is larger than { $most } MiB, so it is not read. Put a smaller one in its place
settings-control = `{ $key }` must not hold a line break or another control character
settings-unreadable = the settings file cannot be read: { $reason }
settings-syntax = this is not valid TOML: { $detail }
settings-unknown-key-top = unknown table or key `{ $key }`
settings-unknown-key = unknown key `{ $key }` in { $place }
settings-missing-key = { $place } needs `{ $key }`
settings-wrong-type = `{ $key }` must be { $expected }
settings-empty = `{ $key }` must not be empty
settings-unknown-name = unknown { $noun } `{ $name }`
settings-duplicate = the { $noun } `{ $id }` is already on line { $line }
settings-reserved = `{ $id }` also stands for the tool's own subscription, whose record would mix with this provider's
settings-twice-in-chain = the chain `{ $chain }` names the target `{ $target }` twice
settings-two-primaries = `{ $first }` and `{ $second }` are both primary
settings-two-primaries-in = the chain `{ $chain }` has two primary targets, `{ $first }` and `{ $second }`
settings-bad-url = `{ $url }` is not an address that can be used here
settings-plain-http = the key would travel unencrypted to { $host }
settings-key-literal = a key or password stands in the file itself
settings-key-form = `key` must name exactly one place
settings-webhook-address = the address of a webhook is a secret and must not stand in the file, or it is no address
settings-bad-variable = `{ $name }` is not a name of an environment variable
settings-bad-header = `{ $name }` is not a header that can be sent
settings-bad-duration = `{ $text }` is not a length of time
settings-out-of-range = `{ $key }` cannot be { $value }
settings-zero-cap = a daily limit of 0 allows no probe at all
settings-disorder = `{ $low }` must not be above `{ $high }`
settings-bad-listen = `{ $address }` is no address to listen on
settings-bad-zone = unknown time zone `{ $zone }`
settings-bad-hours = `{ $hours }` are no quiet hours
settings-hurried = every { $every } is often: providers may mind, and it costs
settings-short-hold = a hold of { $hold } is short: the tool may come and go with every change of a model
settings-others-chain = the chain `{ $chain }` is for { $owner }, so { $tool } reaches only what the two have in common
settings-idle = `{ $key }` does nothing without `{ $needs }`

settings-hint-nearest = Did you mean `{ $name }`?
settings-hint-known = Known are { $names }
settings-hint-range = It may lie between { $least } and { $most }
settings-hint-missing = Start Vacancy once, or run `vacancy setup`, to make one
settings-hint-url = Write it like https://api.example.com/v1, without a question mark or password; a proxy may also be socks5h://host:port
settings-hint-plain-http = Use https, or a server on this machine
settings-hint-key-literal = Put the key into an environment variable and write key = {"{"} env = "NAME" {"}"}
settings-hint-webhook-address = Put it into an environment variable and write url = {"{"} env = "NAME" {"}"}
settings-hint-key-form = Write one of {"{"} env = "NAME" {"}"}, {"{"} command = ["program", "argument"] {"}"}, {"{"} keyring = "entry" {"}"}, {"{"} tool = "codex" {"}"}
settings-hint-cap = Write 144, or {"{"} requests = 144, tokens = 9000 {"}"}
settings-hint-duration = Write it like "90s", "10m" or "1h30m"
settings-hint-preset = A preset does as well, like preset = "openai"
settings-hint-zero-cap = Use probing = "never" on the target instead
settings-hint-reserved = Choose another id; a target may name the subscription without any provider table
settings-hint-two-primaries = Make one of them a backup
settings-hint-listen = Write "127.0.0.1:9464", "[::1]:9464", or a port alone
settings-hint-zone = Write it like "Europe/Berlin", or "system"
settings-hint-hours = Write two different times of day, like "22:00-07:00", where wanted with days before them: "mon-fri 22:00-07:00"
settings-hint-variable = Use letters, digits and underscores, like OPENAI_API_KEY
settings-hint-hurried = A minute or more is polite
settings-hint-short-hold = Five minutes or more is calm; 20m is usual
settings-hint-others-chain = Take `chain` out for the chain of { $tool } itself or the main one, or name a chain without `tool`
settings-hint-idle = Set the other to "ask" or "auto", or take this line out
settings-rule-id = the rule's id `{ $id }` has other characters than it may
settings-rule-evidence = the rule `{ $id }` has no evidence and would match everything
settings-rule-value = `{ $key }` can never be `{ $value }`
settings-rule-regex = `regex` is not a regular expression: { $reason }
settings-rule-kind = `kind` cannot be `{ $kind }`: a rule reads answers
settings-key-entry = `{ $tool }` keeps several keys, and none is named
settings-hint-rule-id = Use small letters, digits and hyphens, like my-relay-full
settings-hint-rule-evidence = Add status, code, type, text or regex
settings-hint-key-entry = Name one behind a slash, like opencode/deepseek

# Why the file was not written.
settings-write-changed = The settings file changed on disk since it was read. Reload it and try again: { $path }
settings-write-exists = There is a settings file already, and it is not overwritten: { $path }. Add models to it in Settings (Ctrl+7), Providers
settings-write-invalid = The settings would not be valid, so nothing was written. { $first }
settings-write-not-found = The settings file has no { $what } `{ $id }`. Reload it and try again.
settings-write-unfaithful = The settings file writes `{ $what }` in a form that is not changed by program. Change it by hand.
settings-write-io = The settings file could not be written ({ $reason }). Check the folder's rights and the free space: { $path }
