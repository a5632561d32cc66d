//! Feeds the reader of `vacancy.toml` with any text, and makes the window's changes to it.
//!
//! An input is one byte for the change, and the text. Run it from the package's folder:
//!
//! ```text
//! cargo +nightly fuzz run settings --fuzz-dir tests/fuzz --features shell
//! ```
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use vacancy::core::target::{ProviderId, Role, TargetId};
use vacancy::edit::Value;
use vacancy::settings::SettingsFile;
use vacancy::settings::amend::Amendment;

fuzz_target!(|data: &[u8]| {
    let [choice, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let file = SettingsFile::parse(Path::new("vacancy.toml"), text.to_owned());
    assert_eq!(file.text(), text, "what is read is written again byte for byte");
    let read = file.resolve();
    if let Err(findings) = &read {
        assert!(!findings.is_empty());
        let lines = text.split('\n').count();
        assert!(findings.iter().all(|finding| finding.line <= lines + 1), "{findings:?}");
    }
    let (target, provider) = match &read {
        Ok(settings) => (
            settings.targets.first().map_or_else(|| TargetId::from("a"), |target| target.id.clone()),
            settings.providers.first().map_or_else(|| ProviderId::from("p"), |provider| provider.id.clone()),
        ),
        Err(_) => (TargetId::from("a"), ProviderId::from("p")),
    };
    let put = |table, key, value| Amendment::Put { table, key, value };
    let amendment = match choice % 9 {
        0 => put("ui", "theme", Some(Value::text("dark"))),
        1 => put("ui", "theme", None),
        2 => put("schedule", "every", Some(Value::text("7m"))),
        3 => Amendment::Role(target, Some(Role::Primary)),
        4 => Amendment::RemoveTarget(target),
        5 => Amendment::RenameTarget(target, TargetId::from("other")),
        6 => Amendment::RemoveProvider(provider),
        7 => Amendment::RenameProvider(provider, ProviderId::from("other")),
        _ => Amendment::Chain("main".to_owned(), vec![target]),
    };
    let mut changed = file.clone();
    if changed.amend(&amendment).is_ok() {
        let again = SettingsFile::parse(Path::new("vacancy.toml"), changed.text());
        assert_eq!(again.text(), changed.text());
        // A change of a good file may be wrong in what it means, never in how it is written.
        let _ = again.resolve();
    } else {
        assert_eq!(changed.text(), text, "a change that fails changes nothing");
    }
});
