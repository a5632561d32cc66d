//! The text of a new settings file: what the user ticked, and every other key explained.

/// Stands at the top.
pub(super) const HEAD: &str = r#"# Vacancy settings. The program changes only the lines it is asked to change; your comments and order stay.
# Check the file at any time: `vacancy now` and the window say what is wrong, with line and column.
#
# A provider is one endpoint with one credential. Keys never stand in this file, only where they are kept:
#   key = { env = "OPENAI_API_KEY" }               an environment variable
#   key = { command = ["pass", "show", "openai"] }  what a program prints
#   key = { keyring = "openai" }                    an entry of the system's keyring
#   key = { tool = "codex" }                        an API key that a coding tool keeps
# A preset fills in dialect, address, signing and limits; any of them can be written beside it. Without a preset:
#   dialect = "openai-chat"      or openai-responses, anthropic-messages, gemini, ollama-chat
#   base_url = "https://api.example.com/v1"
# Optional: headers = { name = "value" }, query = { name = "value" } (a value may hold {key}), ca_file = "my.pem",
#   proxy = "http://127.0.0.1:8080", daily_cap = 500 or { requests = 500, tokens = 50000 }
#
# A target is a provider and a model: what is watched. role is primary, backup or emergency; without one it is only
# watched: recorded and shown, never proposed.
# Optional: probing = "scheduled", "on-demand" or "never", daily_cap as above, price = 1.25 (in your own unit).
# A tool's own subscription is a provider without a table, such as provider = "codex": it is known from the tool's
# logs. Only with [tool_probe.codex] (see below) is the tool itself asked now and then.
"#;

/// Stands at the end; every key with its default.
pub(super) const TAIL: &str = r#"
# The order to fall back in. Without a chain it is the order of the targets above.
# [[chain]]
# name = "main"
# targets = ["first", "second"]
# A chain for one tool has also: tool = "codex"

[schedule]
# Time between two probes of a target; it varies by 20 %, so that not everybody asks at once.
every = "10m"
# The same while nobody looks; three times as long when left out.
# slow_every = "30m"
# Answers of one kind in a row before a change counts.
# confirm_down = 2
# confirm_up = 2
# A first token later than this is marked slow.
# slow_above = "6s"
# Daily limits of each target that has none of its own (its preset may name one: 1000 requests for servers on this
# machine), and of each provider over all its targets. `vacancy setup` says what probing costs on a usual day: much less.
# target_cap = { requests = 300, tokens = 50000 }
# provider_cap = { requests = 2000, tokens = 250000 }

# Probes of a subscription by running its own tool: off unless switched on here. One run costs input tokens of the plan,
# more with an older version of the tool: codex 5200 to 13300, claude-code 440 to 19300, gemini-cli 200 to 7000,
# opencode 150 to 9600. `vacancy probe --tool codex` runs one now, after it has said what yours costs.
# [tool_probe.codex]
# enabled = true
# every = "6h"          at least 15m, counted from the newest evidence
# daily = 4             the most runs in a day
# program = "/opt/codex/bin/codex"   where it is not found by itself
# pass = ["MY_PROXY"]   further variables that the tool needs; keys are not passed otherwise

# A tool that you trust Vacancy with: a click on Use writes at once, without showing the diff first. Undo stays.
# [switch.codex]
# confirm = false
#
# Rules that switch a tool, off unless switched on here. Away from the first model of its chain when it is confirmed not
# to be free, to the first one that is; and back when it has been free for the hold. "ask" asks with a notice, "auto"
# does it. Each switch can be undone, and a model that you chose yourself is left alone.
# failover = "off"      or "ask", "auto"
# back = "off"          or "ask", "auto"
# hold = "20m"          free so long before it goes back; longer after returns that did not last
# ahead = false         true: also ten minutes before a usual busy time that is known well
# chain = "main"        left out, the tool's own chain or the main one

# Folders of projects whose own files may name a model: they stand on the Switch screen, and can be switched there.
# [projects]
# folders = ["~/code"]

[notices]
# Which models: "primary", "chain" (all with a role) or "all".
# about = "primary"
# A notice when the model is free again, and when it is not, with the first free one of the chain.
recovered = true
# full = true
# When your own limit is reached, and when it has started anew.
# limits = true
# One notice for several models of one provider, and one for a model that comes and goes.
# provider = true
# flapping = true
# How often it is said again that a model is still not free; left out, never.
# reminders = "30m"
# When nothing is shown, by the clock on the wall (zone of [ui]); also a list, also by days of the week:
# ["mon-fri 22:00-07:00", "sat-sun 23:00-09:00"]. At the end one notice says what is different
# then. What came and went stands in Activity.
# quiet = "22:00-07:00"
# Nothing is shown at all; Board and Activity know everything.
# do_not_disturb = false
# A program that is given each notice, and a chat service: json, slack, discord, teams, ntfy, telegram, feishu, dingtalk or
# wecom. `vacancy notify --test` tries both.
# hook = { command = ["/home/me/bin/on-notice"], timeout = "10s" }
# webhook = { url = { env = "CHAT_WEBHOOK" }, form = "slack" }

[context]
# What the providers' public status pages say, and OpenRouter's statistics of its models: shown beside your own evidence
# and never counted. Asked without a key, at most every five minutes, while the window is in use.
status_pages = true

[background]
# What closing the window means: "tray" watches on in the tray, or minimised where the desktop has none; "quit" ends the
# program; "ask" asks, once.
# close = "ask"
# Every start without a window on the screen, as with `vacancy --minimized`.
# start_hidden = false
# An icon in the tray. `vacancy autostart on` starts the program with the session.
# tray = true

# Metrics for Prometheus; without this table there are none.
# [metrics]
# listen = "127.0.0.1:9464"

[ui]
# language = "en"       or "zh-Hans"; left out, the system decides
# theme = "dark"        or "light", "system"
# high_contrast = false  true: black and white, with stronger lines
# reduced_motion = false  true: nothing moves or fades, also where the system does not ask for it
# zoom = 1.0            0.8 to 2
# zone = "Europe/Berlin"  for times and for where a day begins; left out, the system's

[data]
# Days for which single samples are kept. The quarter-hour record is kept for ever.
# keep_days = 400

# Your own rules for reading errors come before the built-in ones. All that a rule names must hold: provider, dialect, status,
# code, type, text (anywhere, in any case), regex. scope is model, account, provider or local; left out, the usual one of the kind.
# [[rule]]
# id = "my-relay-full"
# kind = "at_capacity"
# provider = "my-relay"
# status = [429, 503]
# text = "line is full"
"#;

#[cfg(test)]
mod tests {
    use super::TAIL;
    use crate::toolprobe::Program;
    use crate::toolprobe::cost::{Cost, cost_of_any_version};

    #[test]
    fn the_cost_of_a_tools_probe_is_said_where_it_is_switched_on() {
        let text = TAIL.replace("\n#", "");
        for program in Program::ALL {
            let Cost { least, most } = cost_of_any_version(program);
            assert!(text.contains(&format!("{program} {least} to {most}")), "{program}");
        }
    }
}
