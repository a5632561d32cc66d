//! A notice as data, for programs: the JSON that the hook reads and the webhook's own form posts, and the hook's
//! variables. Stable: names are only added. Pure.
//!
//! ```json
//! {"version": 1, "id": 17, "replaces": null, "kind": "recovered", "summary": "gpt-5.5 is free again",
//!  "body": "After 25 min.", "urgent": false, "actions": [{"action": "use:...", "label": "Use gpt-5.5 now"}],
//!  "facts": {"kind": "recovered", "at": "2026-03-01T12:00:00Z", "target": "...", "model": "...", "provider": "..."}}
//! ```
//!
//! Lengths of time are whole seconds and end in `_s` (`after_s`), moments are RFC 3339 in UTC.
//! `id` is the same for the same notice, also after a restart. `replaces` is the notice that this one takes the place of.
//! Variables: `VACANCY_NOTICE` (the kind), `VACANCY_ID`, `VACANCY_SUMMARY`, `VACANCY_BODY`, `VACANCY_URGENT` (`1` or `0`), and
//! one a fact that is a text, a number or a truth: `VACANCY_TARGET`, `VACANCY_MODEL`, `VACANCY_PROVIDER`, `VACANCY_AT` and so on.

use serde_json::{Value, json};

use crate::notify::Message;

/// Facts that would hide a variable which Vacancy itself reads.
const OURS: &[&str] = &["home", "log", "bin"];

/// The notice as one object.
pub fn notice(message: &Message) -> Value {
    let actions: Vec<Value> =
        message.buttons.iter().map(|button| json!({ "action": button.action, "label": button.label })).collect();
    json!({
        "version": 1,
        "id": message.id,
        "replaces": message.replaces,
        "kind": kind(message),
        "summary": message.summary,
        "body": message.body,
        "urgent": message.is_urgent,
        "actions": actions,
        "facts": message.facts,
    })
}

/// The notice as variables, by their names.
pub fn variables(message: &Message) -> Vec<(String, String)> {
    // A variable ends at a zero.
    let clean = |text: &str| text.replace('\0', "");
    let mut all = vec![
        ("VACANCY_NOTICE".to_owned(), clean(kind(message))),
        ("VACANCY_ID".to_owned(), message.id.to_string()),
        ("VACANCY_SUMMARY".to_owned(), clean(&message.summary)),
        ("VACANCY_BODY".to_owned(), clean(&message.body)),
        ("VACANCY_URGENT".to_owned(), u8::from(message.is_urgent).to_string()),
    ];
    for (name, value) in message.facts.as_object().into_iter().flatten() {
        let text = match value {
            Value::String(text) => clean(text),
            Value::Number(number) => number.to_string(),
            Value::Bool(is) => u8::from(*is).to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => continue,
        };
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let variable = format!("VACANCY_{}", name.to_ascii_uppercase());
        if is_name && !OURS.contains(&name.as_str()) && all.iter().all(|(known, _)| *known != variable) {
            all.push((variable, text));
        }
    }
    all
}

/// What kind of notice it is, as its facts say.
pub fn kind(message: &Message) -> &str {
    message.facts.get("kind").and_then(Value::as_str).unwrap_or("notice")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_become_variables_and_hide_none_of_ours() {
        let message = Message {
            id: 3,
            summary: "a\0b".to_owned(),
            facts: json!({
                "kind": "full", "target": "sol", "after_s": 90, "is_primary": true, "targets": ["a"], "home": "/tmp",
                "summary": "other", "odd name": "x",
            }),
            ..Message::default()
        };
        let all = variables(&message);
        let get = |name: &str| all.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        assert_eq!(get("VACANCY_NOTICE"), Some("full"));
        assert_eq!(get("VACANCY_TARGET"), Some("sol"));
        assert_eq!(get("VACANCY_AFTER_S"), Some("90"));
        assert_eq!(get("VACANCY_IS_PRIMARY"), Some("1"));
        assert_eq!(get("VACANCY_SUMMARY"), Some("ab"));
        assert_eq!(get("VACANCY_HOME"), None);
        assert!(all.iter().all(|(name, _)| !name.contains(' ')));
    }
}
