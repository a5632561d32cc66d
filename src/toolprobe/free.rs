//! What Codex tells without spending a token: how much of the plan's windows is used, and which models there are.
//!
//! `codex app-server` speaks JSON-RPC on its standard input and output, a line a message (0.77 to 0.171): `initialize`,
//! `initialized`, then `account/rateLimits/read` and `model/list`. Without a login the first is refused.
//! `codex debug models` prints the catalogue where there is no `model/list`.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::listen::{Limit, Name, Tool};

/// What Codex tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// The plan's windows.
    pub limits: Vec<Limit>,
    /// There is no login that has a plan.
    pub needs_login: bool,
    /// The models that can be chosen.
    pub models: Vec<Name>,
}

/// The ids of the two questions.
const LIMITS: u64 = 2;
const MODELS: u64 = 3;

/// What is written to the server, all at once: it answers in its own order.
pub fn questions() -> Vec<u8> {
    let client = json!({"clientInfo": {"name": "vacancy", "title": "Vacancy", "version": env!("CARGO_PKG_VERSION")}});
    [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}),
        json!({"jsonrpc": "2.0", "method": "initialized"}),
        json!({"jsonrpc": "2.0", "id": LIMITS, "method": "account/rateLimits/read"}),
        json!({"jsonrpc": "2.0", "id": MODELS, "method": "model/list", "params": {}}),
    ]
    .map(|message| format!("{message}\n"))
    .concat()
    .into_bytes()
}

/// Whether both questions are answered.
pub fn is_answered(stdout: &[u8]) -> bool {
    let answered = |id| answers(stdout).any(|answer| answer.id == Some(id));
    answered(LIMITS) && answered(MODELS)
}

/// Reads the server's answers.
pub fn read(stdout: &[u8], now: Timestamp) -> Told {
    let mut told = Told::default();
    for answer in answers(stdout) {
        match (answer.id, answer.result) {
            (Some(LIMITS), Some(result)) => told.limits = limits(result, now),
            (Some(LIMITS), None) => told.needs_login = true,
            (Some(MODELS), Some(result)) => told.models = serde_json::from_value(result).map(names).unwrap_or_default(),
            _ => {}
        }
    }
    told
}

/// Reads what `codex debug models` prints; its long texts are not kept.
pub fn catalogue(stdout: &[u8]) -> Vec<Name> {
    serde_json::from_slice(stdout).map(names).unwrap_or_default()
}

#[derive(Deserialize)]
struct Answer {
    id: Option<u64>,
    result: Option<Value>,
}

#[derive(Deserialize)]
struct Models {
    #[serde(alias = "data")]
    models: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    #[serde(alias = "slug")]
    model: String,
    #[serde(default)]
    hidden: bool,
    #[serde(default)]
    visibility: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Limits {
    rate_limits: Snapshot,
    #[serde(default)]
    rate_limits_by_limit_id: Option<std::collections::BTreeMap<String, Snapshot>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Snapshot {
    #[serde(default)]
    limit_id: Option<String>,
    #[serde(default)]
    primary: Option<Window>,
    #[serde(default)]
    secondary: Option<Window>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Window {
    used_percent: f32,
    #[serde(default)]
    window_duration_mins: Option<u32>,
    #[serde(default)]
    resets_at: Option<i64>,
}

fn answers(stdout: &[u8]) -> impl Iterator<Item = Answer> + '_ {
    stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

fn names(models: Models) -> Vec<Name> {
    let is_shown = |model: &Model| !model.hidden && model.visibility.as_deref().is_none_or(|seen| seen == "list");
    models.models.iter().filter(|model| is_shown(model)).filter_map(|model| Name::new(&model.model)).collect()
}

fn limits(result: Value, now: Timestamp) -> Vec<Limit> {
    let Ok(limits) = serde_json::from_value::<Limits>(result) else { return Vec::new() };
    let by_id = limits.rate_limits_by_limit_id.unwrap_or_default();
    let snapshots: Vec<(Option<String>, Snapshot)> = if by_id.is_empty() {
        vec![(None, limits.rate_limits)]
    } else {
        by_id.into_iter().map(|(id, snapshot)| (Some(id), snapshot)).collect()
    };
    let mut found = Vec::new();
    for (id, snapshot) in snapshots {
        let id = snapshot.limit_id.or(id).as_deref().and_then(Name::new);
        for window in [snapshot.primary, snapshot.secondary].into_iter().flatten() {
            found.push(Limit {
                ts: Some(now),
                tool: Tool::Codex,
                id: id.clone(),
                window_minutes: window.window_duration_mins,
                used_percent: window.used_percent,
                resets_at: window.resets_at.and_then(|at| Timestamp::from_second(at).ok()),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    #[test]
    fn a_login_tells_its_windows_and_models() {
        let text = r#"{"id":1,"result":{"userAgent":"x"}}
{"method":"configWarning","params":{"summary":"no"}}
{"id":3,"result":{"data":[{"id":"a","model":"gpt-a","hidden":false,"description":"long"},{"id":"b","model":"gpt-b","hidden":true}],"nextCursor":null}}
{"id":2,"result":{"rateLimits":{"limitId":"codex","primary":{"usedPercent":82,"windowDurationMins":300,"resetsAt":1795990000},"secondary":{"usedPercent":12,"windowDurationMins":10080,"resetsAt":null},"credits":null,"planType":"plus"},"rateLimitsByLimitId":null,"ordinaryUsageAllowed":true}}
"#;
        assert!(is_answered(text.as_bytes()));
        let told = read(text.as_bytes(), NOW);
        assert!(!told.needs_login);
        assert_eq!(told.models, [Name::new("gpt-a").unwrap()]);
        let windows: Vec<_> = told.limits.iter().map(|limit| (limit.window_minutes, limit.used_percent)).collect();
        assert_eq!(windows, [(Some(300), 82.0), (Some(10_080), 12.0)]);
        assert_eq!(told.limits[0].resets_at.map(Timestamp::as_second), Some(1_795_990_000));
        assert_eq!(told.limits[0].id, Name::new("codex"));
    }

    /// As 0.130 to 0.171 answer without a login, in their own order.
    #[test]
    fn without_a_login_there_are_only_models() {
        let text = "{\"id\":3,\"result\":{\"data\":[{\"model\":\"m\"}]}}\n{\"error\":{\"code\":-32600,\"message\":\"codex account authentication required to read rate limits\"},\"id\":2}\n";
        let told = read(text.as_bytes(), NOW);
        assert!(told.needs_login && told.limits.is_empty() && told.models.len() == 1);
        assert!(!is_answered(&text.as_bytes()[..60]));
    }

    #[test]
    fn the_catalogue_lists_what_can_be_chosen() {
        let text = r#"{"models":[{"slug":"gpt-a","visibility":"list","base_instructions":"long"},{"slug":"gpt-b","visibility":"hide"}]}"#;
        assert_eq!(catalogue(text.as_bytes()), [Name::new("gpt-a").unwrap()]);
        assert_eq!(catalogue(b"{"), []);
    }
}
