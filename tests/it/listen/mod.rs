//! Listening: from what tools write to the record and the board, and what is never opened or kept.

mod backfill;
mod live;
mod turns;
mod verb;

use std::fs;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use vacancy::settings::env::Env;
use vacancy::settings::roots::Roots;

use crate::support::homes::{self, put};

fn roots(home: &Path) -> Roots {
    homes::roots(&home.join("own"), home)
}

fn no_env() -> Env {
    Env::default()
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/passive").join(name)).unwrap()
}

/// A rollout as Codex 0.171 writes it, a turn a second.
struct Rollout {
    at: Timestamp,
    turns: u32,
    out: u64,
}

impl Rollout {
    const ID: &str = "01a19bc1-50a0-7002-8002-000000000002";

    fn new(at: Timestamp) -> Self {
        Self { at, turns: 0, out: 0 }
    }

    fn head(&self) -> String {
        format!(
            "{{\"timestamp\":\"{:.3}\",\"ordinal\":0,\"type\":\"session_meta\",\"payload\":{{\"id\":\"{}\",\"cwd\":\"CWD-MUST-NOT-BE-STORED\",\"cli_version\":\"0.171.0\",\"model_provider\":\"openai\",\"base_instructions\":{{\"text\":\"BASE-MUST-NOT-BE-STORED\"}}}}}}\n",
            self.at,
            Self::ID
        )
    }

    fn turn(&mut self, error: Option<&str>) -> String {
        self.turns += 1;
        self.at = self.at.checked_add(SignedDuration::from_secs(1)).unwrap();
        let id = format!("01a19bc2-50a0-7002-8002-{:012}", self.turns);
        let at = format!("{:.3}", self.at);
        let line = |kind: &str, payload: &str| {
            format!("{{\"timestamp\":\"{at}\",\"ordinal\":1,\"type\":\"{kind}\",\"payload\":{payload}}}\n")
        };
        let mut text = line("event_msg", &format!("{{\"type\":\"task_started\",\"turn_id\":\"{id}\"}}"));
        text += &line(
            "turn_context",
            &format!("{{\"turn_id\":\"{id}\",\"cwd\":\"CWD-MUST-NOT-BE-STORED\",\"model\":\"gpt-6.2-sol\"}}"),
        );
        text += &line("response_item", "{\"type\":\"message\",\"content\":[{\"text\":\"PROMPT-MUST-NOT-BE-STORED\"}]}");
        match error {
            Some(code) => {
                text += &line(
                    "event_msg",
                    &format!(
                        "{{\"type\":\"task_complete\",\"turn_id\":\"{id}\",\"last_agent_message\":null,\"error\":{{\"message\":\"ERROR-MUST-NOT-BE-STORED\",\"codex_error_info\":\"{code}\"}}}}"
                    ),
                );
            }
            None => {
                self.out += 10;
                text += &line(
                    "event_msg",
                    &format!(
                        "{{\"type\":\"token_count\",\"info\":{{\"total_token_usage\":{{\"output_tokens\":{}}},\"last_token_usage\":{{\"output_tokens\":10}}}},\"rate_limits\":{{\"limit_id\":\"codex\",\"primary\":{{\"used_percent\":82.0,\"window_minutes\":300,\"resets_at\":4102444800}}}}}}",
                        self.out
                    ),
                );
                text += &line(
                    "event_msg",
                    &format!(
                        "{{\"type\":\"task_complete\",\"turn_id\":\"{id}\",\"last_agent_message\":\"REPLY-MUST-NOT-BE-STORED\",\"time_to_first_token_ms\":700}}"
                    ),
                );
            }
        }
        text
    }
}
