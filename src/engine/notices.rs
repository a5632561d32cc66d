//! Notices in words.

use crate::args;
use crate::core::alert::Notice;
use crate::i18n::Tr;
use crate::notify::Message;
use crate::settings::Settings;

/// A notice as it is shown outside the window.
pub(super) fn message(notice: &Notice, settings: &Settings, tr: &Tr) -> Message {
    let Notice::Recovered { target, after } = notice;
    let (model, provider) = settings
        .target(target)
        .map_or((target.as_str(), ""), |target| (target.model.as_str(), target.provider.as_str()));
    let minutes = after.as_secs() / 60;
    let id = if minutes == 0 { "engine-recovered-body-soon" } else { "engine-recovered-body" };
    Message {
        id: 0,
        replaces: None,
        buttons: Vec::new(),
        without_buttons: String::new(),
        is_urgent: false,
        facts: serde_json::json!({ "kind": "recovered", "target": target.as_str() }),
        summary: tr.with("engine-recovered", &args!("model" => model)),
        body: tr.with(id, &args!("provider" => provider, "minutes" => minutes)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::i18n::Lang;

    #[test]
    fn a_recovery_in_both_languages() {
        let notice = |secs| Notice::Recovered { target: "sol".into(), after: Duration::from_secs(secs) };
        let settings = Settings::default();
        let english = message(&notice(25 * 60), &settings, &Tr::new(Lang::English));
        assert_eq!(english.summary, "sol is free again");
        assert!(english.body.contains("25 min"), "{}", english.body);
        let chinese = message(&notice(30), &settings, &Tr::new(Lang::Chinese));
        assert_eq!(chinese.summary, "sol 又可用了");
        assert!(!chinese.body.is_empty());
    }
}
