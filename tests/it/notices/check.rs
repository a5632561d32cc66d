//! The test of all three ways, and what the settings may say of them.

use std::time::Duration;

use vacancy::i18n::{Lang, Tr};
use vacancy::notify::check::check;
use vacancy::notify::config::Address;
use vacancy::notify::everywhere::Means;
use vacancy::notify::form::Form;
use vacancy::secrets::KeyRef;
use vacancy::settings::SettingsFile;
use vacancy::settings::finding::Problem;

use super::{means, settings};

#[test]
fn a_test_says_of_each_way_what_became_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let means = Means { has_desktop: true, ..means(folder.path(), &[]) };
    let text = r#"
        [notices]
        hook = { command = ["no-such-program-anywhere"] }
        webhook = { url = { env = "NOT_SET_ANYWHERE" } }
    "#;
    let tr = Tr::new(Lang::English);
    let checked = check(&settings(text), &means, &tr, Duration::ZERO, |_| ()).unwrap();
    assert!(!checked.is_ok());
    let json = checked.json();
    for way in ["desktop", "hook", "webhook"] {
        assert_eq!(json[way]["ok"], false, "{way}");
        assert!(!json[way]["error"].as_str().unwrap().is_empty());
    }
    assert_eq!(checked.lines(&tr).len(), 3);
    let nothing = check(&settings(""), &Means { has_desktop: false, ..means }, &tr, Duration::ZERO, |_| ()).unwrap();
    assert!(nothing.is_ok());
    assert_eq!(nothing.json().to_string(), r#"{"desktop":null,"hook":null,"webhook":null}"#);
}

#[cfg(target_os = "linux")]
#[test]
fn a_test_names_the_service_and_hears_the_click() {
    use super::mock::{Bus, Manner};

    let folder = tempfile::tempdir().unwrap();
    let bus = Bus::start(folder.path(), Manner { clicks_at_once: Some("test"), ..Manner::default() });
    let means = means(folder.path(), &[("DBUS_SESSION_BUS_ADDRESS", &bus.address)]);
    let means = Means { has_desktop: true, patience: super::LIMIT, ..means };
    let checked = check(&settings(""), &means, &Tr::new(Lang::Chinese), super::LIMIT, |_| ()).unwrap();
    let json = checked.json();
    assert_eq!(json["desktop"], serde_json::json!({"ok": true, "name": "mock 1.0", "buttons": true, "answer": "test"}));
}

#[test]
fn settings_say_where_notices_go_and_keep_secrets_out() {
    let good = settings(
        r#"
        [notices]
        hook = { command = ["notify-me", "--now"], timeout = "30s" }
        webhook = { url = { keyring = "team-chat" }, form = "feishu" }
        "#,
    );
    let hook = good.notices.hook.unwrap();
    assert_eq!((hook.command.len(), hook.timeout), (2, Duration::from_secs(30)));
    let webhook = good.notices.webhook.unwrap();
    assert_eq!((webhook.url, webhook.form), (Address::Kept(KeyRef::Keyring("team-chat".to_owned())), Form::Feishu));
    let plain = settings("[notices]\nwebhook = { url = \"http://127.0.0.1:8080/in\" }").notices.webhook.unwrap();
    assert!(matches!(plain.url, Address::Open(_)) && plain.form == Form::Json);

    let found = |text: &str| -> Vec<Problem> {
        let file = SettingsFile::parse(std::path::Path::new("vacancy.toml"), format!("[notices]\n{text}"));
        let findings = file.resolve().unwrap_err();
        let shown = format!("{findings:?}");
        assert!(!shown.contains("hush"), "{shown}");
        findings.into_iter().map(|finding| finding.problem).collect()
    };
    let secret = "webhook = { url = \"https://hooks.slack.com/services/T0/B0/hush\", form = \"slack\" }";
    assert_eq!(found(secret), [Problem::WebhookAddress]);
    assert_eq!(found("webhook = { url = \"hush\" }"), [Problem::WebhookAddress]);
    assert_eq!(found("webhook = { url = { env = \"A\", command = [\"b\"] } }"), [Problem::KeyForm]);
    assert!(matches!(found("webhook = { form = \"slack\" }")[..], [Problem::MissingKey { key: "url", .. }]));
    assert!(matches!(found("webhook = { url = \"http://a\", form = \"slak\" }")[..], [Problem::UnknownName { .. }]));
    assert!(matches!(found("webhook = { url = { tool = \"codex\" } }")[..], [Problem::UnknownKey { .. }]));
    assert!(matches!(found("hook = { timeout = \"5s\" }")[..], [Problem::MissingKey { key: "command", .. }]));
    assert!(matches!(found("hook = { command = [] }")[..], [Problem::Empty { .. }]));
    assert!(matches!(found("hook = { command = [\"a\"], timeout = \"1h\" }")[..], [Problem::OutOfRange { .. }]));
    assert_eq!(found("hook = { command = [\"curl\", \"sk-hushabcdefghijklmnop0123\"] }"), [Problem::KeyLiteral]);
}
