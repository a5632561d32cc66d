//! What becomes of notices: words, and what a pressed button does.

mod words;

pub use words::{Scene, Words};

use serde_json::{Map, Value};

use crate::args;
use crate::core::alert::{Notice, Subject};
use crate::notify::{Button, Message};

/// A notice as it is shown outside the window.
pub fn message(notice: &Notice, scene: &Scene<'_>) -> Message {
    let Words { summary, body } = scene.words(notice);
    let buttons: Vec<Button> = notice
        .offers
        .iter()
        .map(|offer| Button { action: offer.action().to_owned(), label: scene.label(offer) })
        .collect();
    let labels: Vec<&str> = buttons.iter().map(|button| button.label.as_str()).collect();
    let without_buttons = if labels.is_empty() {
        String::new()
    } else {
        scene.tr.with("notice-without-buttons", &args!("labels" => labels.join(" · ")))
    };
    Message {
        id: notice.id.0,
        replaces: notice.replaces.map(|id| id.0),
        summary,
        body,
        buttons,
        without_buttons,
        is_urgent: matches!(notice.subject, Subject::AskSwitch { .. }),
        facts: facts(notice, scene),
    }
}

/// What a notice is about, for programs: its case, time and names, and all that the case tells.
fn facts(notice: &Notice, scene: &Scene<'_>) -> Value {
    let mut facts = Map::new();
    facts.insert("kind".into(), notice.subject.name().into());
    facts.insert("at".into(), notice.at.to_string().into());
    // A subject is an object with one entry: its name with what it tells.
    if let Ok(Value::Object(case)) = serde_json::to_value(&notice.subject)
        && let Some(Value::Object(details)) = case.into_iter().next().map(|(_, details)| details)
    {
        for (key, value) in details.into_iter().filter(|(_, value)| !value.is_null()) {
            // The notice's own kind and time stand under these names already.
            let key = match key.as_str() {
                "kind" => "state".to_owned(),
                "at" => "from_time".to_owned(),
                _ => key,
            };
            let (key, value) = in_seconds(key, value);
            facts.insert(key, value);
        }
    }
    if let [target] = notice.subject.targets()[..] {
        facts.entry("target").or_insert_with(|| target.as_str().into());
    }
    if let Some(entry) = notice.subject.targets().first().and_then(|target| scene.board.entry(target)) {
        facts.entry("model").or_insert_with(|| entry.target.model.as_str().into());
        facts.entry("provider").or_insert_with(|| entry.target.provider.as_str().into());
    }
    Value::Object(facts)
}

/// A length of time as whole seconds, under a name that says so: `serde` writes a `Duration` as an object.
fn in_seconds(key: String, value: Value) -> (String, Value) {
    match value {
        Value::Object(parts) => match (parts.len(), parts.get("secs"), parts.get("nanos")) {
            (2, Some(secs), Some(_)) => (format!("{key}_s"), secs.clone()),
            _ => (key, Value::Object(parts.into_iter().map(|(key, value)| in_seconds(key, value)).collect())),
        },
        value => (key, value),
    }
}
