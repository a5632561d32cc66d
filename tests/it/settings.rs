//! The settings file: what it means, what is wrong with it, and that writing it leaves the rest alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use vacancy::core::alert::About;
use vacancy::core::rules::{Mode, Rule, ToolRule};
use vacancy::core::target::{Dialect, Probing, Role, TargetId};
use vacancy::i18n::{Lang, Tr};
use vacancy::secrets::KeyRef;
use vacancy::settings::edit::Field;
use vacancy::settings::finding::Severity;
use vacancy::settings::{Background, Close, Settings, SettingsFile, ThemeChoice, WriteError};
use vacancy::toolprobe::Program;

fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/settings").join(kind);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    assert!(!files.is_empty());
    files
}

fn load(text: &str) -> Settings {
    SettingsFile::fresh(Path::new("vacancy.toml"), text).resolve().unwrap()
}

fn complaints(text: &str) -> Vec<String> {
    let findings = SettingsFile::fresh(Path::new("vacancy.toml"), text).resolve().unwrap_err();
    findings.iter().map(|finding| finding.line_text(&Tr::new(Lang::English))).collect()
}

/// Each file has its expected findings beside it, word for word; warnings of valid files too.
#[test]
fn every_mistake_is_found_with_its_place_and_a_hint() {
    let tr = Tr::new(Lang::English);
    let mut differing = String::new();
    for path in fixtures("invalid").into_iter().chain(fixtures("valid")) {
        let (findings, is_valid) = match Settings::load(&path) {
            Ok(settings) => (settings.warnings, true),
            Err(findings) => (findings, false),
        };
        assert_eq!(
            is_valid,
            path.components().any(|part| part.as_os_str() == "valid"),
            "{}: {findings:#?}",
            path.display()
        );
        let actual: String = findings.iter().map(|finding| finding.line_text(&tr) + "\n").collect();
        let expected = fs::read_to_string(path.with_extension("txt")).unwrap_or_default().replace("\r\n", "\n");
        if actual != expected {
            differing.push_str(&format!("=== {}\n{actual}", path.with_extension("txt").display()));
        }
    }
    assert!(differing.is_empty(), "these differ; what was found:\n{differing}");
}

#[test]
fn findings_speak_both_languages_and_never_repeat_a_key() {
    for path in fixtures("invalid") {
        let findings = Settings::load(&path).unwrap_err();
        for finding in findings {
            let texts = Lang::ALL.map(|lang| finding.line_text(&Tr::new(lang)));
            assert!(texts[1..].iter().all(|text| *text != texts[0]), "{texts:?}");
            let all = format!("{texts:?}{finding:?}");
            assert!(!all.contains("FAKE"), "{all}");
        }
    }
}

#[test]
fn a_full_file_means_what_it_says() {
    let settings =
        Settings::load(&fixtures("valid").into_iter().find(|path| path.ends_with("full.toml")).unwrap()).unwrap();
    let order: Vec<&str> = settings.targets.iter().map(|target| target.id.as_str()).collect();
    assert_eq!(order, ["opus", "fallback", "desk", "plan"], "the main chain first, then the order of the file");
    let chains: Vec<&str> = settings.chains.iter().map(|chain| chain.name.as_str()).collect();
    assert_eq!(chains, ["daily", "for codex"]);
    assert_eq!(settings.chain_for("codex").unwrap().name, "for codex");
    assert_eq!(settings.chain_for("aider").unwrap().name, "daily");

    let relay = settings.provider(&"relay".into()).unwrap();
    assert_eq!(relay.key, KeyRef::Env("RELAY_KEY".into()));
    assert!(relay.endpoint.places_key());
    assert!(relay.route.ca_file.as_ref().unwrap().ends_with("valid/corp.pem"), "relative to the file");
    assert_eq!(relay.daily_cap.unwrap().tokens, 50_000);
    let anthropic = settings.provider(&"anthropic".into()).unwrap();
    assert_eq!(anthropic.endpoint.dialect, Dialect::AnthropicMessages);
    assert_eq!(anthropic.endpoint.base_url.as_str(), "https://api.anthropic.com/");
    assert!(settings.provider(&"codex".into()).is_none(), "a subscription has no endpoint of ours");

    let target = |id: &str| settings.target(&id.into()).unwrap();
    assert_eq!(target("opus").daily_cap.requests, 100);
    assert_eq!(target("fallback").daily_cap.requests, 144, "the schedule's own cap");
    assert_eq!(target("plan").probing, Probing::Never);
    assert_eq!(target("desk").probing, Probing::OnDemand);
    assert!(target("desk").is_local);
    assert!((settings.prices[&TargetId::from("fallback")] - 1.25).abs() < 1e-9);
    assert_eq!(settings.schedule.slow_every, Some(Duration::from_secs(1_800)));
    assert_eq!(settings.schedule.confirm_down, 3);
    assert_eq!(settings.rules[0].id, "my-relay-full");
    assert_eq!(settings.ui.language, Some(Lang::Chinese));
    assert_eq!(settings.ui.zone.as_ref().unwrap().iana_name(), Some("Asia/Kathmandu"));
    assert_eq!(settings.data.keep_days, 90);
    let alert = settings.alert_config(&jiff::tz::TimeZone::UTC);
    assert!(!alert.recovered && alert.full && alert.do_not_disturb);
    assert_eq!((alert.about, alert.reminders), (About::Chain, Some(Duration::from_secs(45 * 60))));
    assert_eq!(alert.quiet.iter().map(ToString::to_string).collect::<Vec<_>>(), ["22:00-07:00", "12:30-13:00"]);
    assert_eq!(alert.zone.iana_name(), Some("Asia/Kathmandu"), "quiet hours are meant in the zone of [ui]");
    assert_eq!(settings.background, Background { close: Close::Tray, start_hidden: true, tray: false });

    let setup = settings.setup(&jiff::tz::TimeZone::UTC);
    assert_eq!(setup.zone.iana_name(), Some("Asia/Kathmandu"));
    assert_eq!(setup.provider_caps.len(), 2);
}

#[test]
fn an_order_without_roles_is_a_wish_too() {
    let head = "[[provider]]\nid = \"a\"\npreset = \"openai\"\n";
    let target =
        |id: &str, more: &str| format!("[[target]]\nid = \"{id}\"\nprovider = \"a\"\nmodel = \"{id}\"\n{more}");
    let roles = |text: &str| -> Vec<Option<Role>> { load(text).targets.iter().map(|target| target.role).collect() };
    let (x, y) = (target("x", ""), target("y", ""));
    assert_eq!(roles(&format!("{head}{x}{y}")), [Some(Role::Primary), Some(Role::Backup)]);
    let chosen = target("y", "role = \"primary\"\n");
    let mixed = format!("{head}{x}{chosen}");
    assert_eq!(roles(&mixed), [Some(Role::Primary), None], "without a role it is watched alone, behind the others");
    let chain = "[[chain]]\nname = \"c\"\ntargets = [\"y\"]\n";
    assert_eq!(roles(&format!("{head}{x}{y}{chain}")), [Some(Role::Primary), None]);
}

#[test]
fn an_endpoint_s_key_may_be_left_to_its_preset() {
    let settings =
        load("[[provider]]\nid = \"a\"\npreset = \"deepseek\"\n[[provider]]\nid = \"b\"\npreset = \"ollama\"\n");
    assert_eq!(settings.providers[0].key, KeyRef::Env("DEEPSEEK_API_KEY".into()));
    assert_eq!(settings.providers[1].key, KeyRef::None);
    assert!(settings.providers[1].is_local);
}

#[test]
fn a_missing_file_and_bytes_that_are_no_text_are_findings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vacancy.toml");
    let line = |path: &Path| Settings::load(path).unwrap_err()[0].line_text(&Tr::new(Lang::English));
    assert!(line(&path).contains("vacancy setup"), "{}", line(&path));
    fs::write(&path, b"[ui]\n\xff\n").unwrap();
    assert!(line(&path).starts_with("vacancy.toml:2:1: error: the settings file cannot be read"), "{}", line(&path));
}

#[test]
fn an_invalid_file_has_no_settings_but_warnings_do_not_stop_it() {
    let plain_http =
        "[[provider]]\nid = 'a'\ndialect = 'openai-chat'\nbase_url = 'http://models.example/v1'\nkey = { env = 'K' }\n";
    let text = format!("[ui]\ntheme = 1\n{plain_http}");
    let findings = SettingsFile::fresh(Path::new("x.toml"), &text).resolve().unwrap_err();
    assert_eq!(findings.len(), 2);
    assert_eq!(findings.iter().filter(|finding| finding.severity() == Severity::Warning).count(), 1);
    assert_eq!(load(plain_http).warnings.len(), 1);
}

#[test]
fn a_tool_that_is_to_use_the_chain_of_another_is_a_warning_that_says_what_to_do() {
    let text = |chain: &str| {
        format!(
            "[[target]]\nid = 'a'\nprovider = 'codex'\nmodel = 'm'\n[[target]]\nid = 'b'\nprovider = 'claude-code'\nmodel = 'n'\n\
             [[chain]]\nname = 'mine'\ntargets = ['a']\n\
             [[chain]]\nname = 'other'\ntool = 'claude-code'\ntargets = ['b']\n\
             [switch.codex]\nchain = '{chain}'\n"
        )
    };
    assert!(load(&text("mine")).warnings.is_empty());
    let warnings = load(&text("other")).warnings;
    let line = warnings[0].line_text(&Tr::new(Lang::English));
    assert_eq!(warnings.len(), 1);
    let parts = ["warning", "`other` is for claude-code", "Take `chain` out"];
    assert!(parts.iter().all(|part| line.contains(part)), "{line}");
}

#[test]
fn a_trusted_tool_is_written_down_and_read_again() {
    let mut file =
        SettingsFile::fresh(Path::new("x.toml"), "# mine\n[ui]\n[switch.claude]\nconfirm = true # for now\n");
    assert!(load(&file.text()).switch_rules["claude-code"].asks);
    file.set_switch_asks("codex", false).unwrap();
    let rules = file.resolve().unwrap().switch_rules;
    assert!(!rules["codex"].asks && rules["claude-code"].asks && !rules.contains_key("aider"));
    assert!(file.text().starts_with("# mine\n[ui]\n[switch.claude]\nconfirm = true # for now\n"), "{}", file.text());
    let unknown = SettingsFile::fresh(Path::new("x.toml"), "[switch.codx]\nconfirm = false\n").resolve().unwrap_err();
    assert!(unknown[0].line_text(&Tr::new(Lang::English)).contains("codex"));
}

#[test]
fn a_rule_is_written_into_the_tools_own_table_and_read_with_its_chain() {
    let mut file = SettingsFile::fresh(
        Path::new("x.toml"),
        "[[chain]]\nname = 'fast'\ntargets = ['y']\n[switch.claude] # mine\nhold = '1h'\nchain = 'fast'\n[[provider]]\nid = 'a'\n\
         preset = 'openai'\n[[target]]\nid = 'x'\nprovider = 'a'\nmodel = 'm'\n[[target]]\nid = 'y'\nprovider = 'a'\nmodel = 'n'\n",
    );
    assert!(!file.resolve().unwrap().switch_rules["claude-code"].rule.is_on(), "off by default");
    let claude = vacancy::switch::tools::find("claude-code").unwrap();
    file.set_switch_rule(claude, Mode::Auto, Mode::Ask).unwrap();
    assert!(!file.text().contains("claude-code"), "{}", file.text());
    let settings = file.resolve().unwrap();
    let rule = Rule { failover: Mode::Auto, back: Mode::Ask, hold: Duration::from_secs(3600), ahead: false };
    let chain = vec![TargetId::from("y")];
    assert_eq!(settings.tool_rules(), [ToolRule { tool: "claude-code".into(), rule, chain }]);
}

#[test]
fn a_provider_has_its_vendors_name_only_where_it_is_that_vendor() {
    let vendor = |table: &str| {
        let id = table.split('\'').nth(1).unwrap();
        let text = format!("[[provider]]\n{table}\n[[target]]\nid = 'x'\nprovider = '{id}'\nmodel = 'm'\n");
        load(&text).targets[0].vendor.clone()
    };
    assert_eq!(vendor("id = 'openai'\npreset = 'openai'").as_deref(), Some("OpenAI"));
    assert_eq!(vendor("id = 'openai'\npreset = 'openai'\nbase_url = 'https://relay.example/v1'"), None, "a relay");
    assert_eq!(vendor("id = 'openai'\ndialect = 'openai-chat'\nbase_url = 'https://relay.example/v1'"), None);
    assert_eq!(vendor("id = 'work'\npreset = 'openai'"), None, "the user's own name tells it from another key");
}

const SMALL: &str = "# mine\n[[provider]] # first\nid = \"a\"\npreset = \"openai\"\n\n[[target]]\nid = \"x\"   # keep\nprovider = \"a\"\nmodel = \"m1\"\nrole = 'primary'\n\n# about y\n[[target]]\nid = \"y\"\nprovider = \"a\"\nmodel = \"m2\"\nrole = \"backup\"\n\n[[chain]]\nname = \"main\"\ntargets = [\n  \"x\", # best\n  \"y\", # second\n]\n";

fn edited(text: &str, edit: impl FnOnce(&mut SettingsFile) -> Result<(), WriteError>) -> String {
    let mut file = SettingsFile::fresh(Path::new("vacancy.toml"), text);
    edit(&mut file).unwrap();
    file.text()
}

#[test]
fn edits_change_what_they_name() {
    assert_eq!(edited("", |file| file.set(&Field::Zoom(1.25))), "[ui]\nzoom = 1.25\n");
    assert_eq!(edited("[ui]", |file| file.set(&Field::Theme(ThemeChoice::Dark))), "[ui]\ntheme = \"dark\"");
    assert_eq!(
        edited("[ui] # look\n# more\n\n[data]\n", |file| file.set(&Field::Language(None))),
        "[ui] # look\nlanguage = \"system\"\n# more\n\n[data]\n"
    );
    assert_eq!(
        edited("ui = { zoom = 2.0 } # c\n", |file| file.set(&Field::Theme(ThemeChoice::Light))),
        "ui = { zoom = 2.0, theme = \"light\" } # c\n"
    );
    assert_eq!(
        edited("schedule.every = '5m' # c\n\n[ui]\n", |file| file.set(&Field::SlowEvery(Duration::from_secs(5_400)))),
        "schedule.every = '5m' # c\nschedule.slow_every = \"1h30m\"\n\n[ui]\n"
    );
    for (before, after) in [
        ("", "[tool_probe.codex]\nenabled = true\n"),
        ("[tool_probe.codex] # mine\nevery = '8h'\n", "[tool_probe.codex] # mine\nevery = '8h'\nenabled = true\n"),
        ("[tool_probe.codex]\nenabled = false # no\n\n[ui]\n", "[tool_probe.codex]\nenabled = true # no\n\n[ui]\n"),
        (
            "[tool_probe.gemini-cli]\ndaily = 2\n",
            "[tool_probe.gemini-cli]\ndaily = 2\n\n[tool_probe.codex]\nenabled = true\n",
        ),
        ("[tool_probe]\ncodex = { daily = 2 }\n", "[tool_probe]\ncodex = { daily = 2, enabled = true }\n"),
        ("tool_probe.codex.enabled = false\n", "tool_probe.codex.enabled = true\n"),
        (
            "tool_probe = { gemini-cli = { daily = 2 } }\n",
            "tool_probe = { gemini-cli = { daily = 2 }, codex.enabled = true }\n",
        ),
        ("tool_probe.codex.daily = 2\n", "tool_probe.codex.daily = 2\ntool_probe.codex.enabled = true\n"),
    ] {
        assert_eq!(edited(before, |file| file.set_tool_probe(Program::Codex, true)), after);
    }
    assert_eq!(
        edited(SMALL, |file| file.set_role(&"x".into(), Some(Role::Emergency))),
        SMALL.replace("'primary'", "'emergency'")
    );
    assert_eq!(edited(SMALL, |file| file.set_role(&"x".into(), None)), SMALL.replace("role = 'primary'\n", ""));
    assert_eq!(
        edited(SMALL, |file| file.set_order(&["y".into(), "x".into()])),
        SMALL.replace("\"x\", # best\n  \"y\", # second", "\"y\", # second\n  \"x\", # best")
    );
    // The last item has no comma, and one has no comment.
    let bare = SMALL.replace("\"y\", # second", "\"y\"").replace('\n', "\r\n");
    assert_eq!(
        edited(&bare, |file| file.set_order(&["y".into(), "x".into()])),
        bare.replace("\"x\", # best\r\n  \"y\"", "\"y\",\r\n  \"x\" # best")
    );
    let mut file = SettingsFile::fresh(Path::new("vacancy.toml"), SMALL);
    assert!(matches!(file.set_order(&["y".into()]), Err(WriteError::Unfaithful { .. })), "comments would be torn off");
    assert!(matches!(file.set_role(&"z".into(), None), Err(WriteError::NotFound { .. })));
    assert!(matches!(file.remove_provider(&"z".into()), Err(WriteError::NotFound { .. })));
    assert_eq!(file.text(), SMALL);
}

#[test]
fn a_removed_target_leaves_its_chains_and_nothing_else() {
    let gone = edited(SMALL, |file| file.remove_target(&"y".into()));
    let expected = SMALL
        .replace("\n[[target]]\nid = \"y\"\nprovider = \"a\"\nmodel = \"m2\"\nrole = \"backup\"\n", "\n")
        .replace("  \"y\", # second\n", "   # second\n");
    assert_eq!(gone, expected);
    assert_eq!(load(&gone).targets.len(), 1);
    // The first, with a comma behind it.
    let gone = edited(&SMALL.replace("\n  \"x\", # best\n  \"y\", # second\n", "\"x\", \"y\""), |file| {
        file.remove_target(&"x".into())
    });
    assert!(gone.contains("targets = [\"y\"]"), "{gone}");
}

#[test]
fn a_block_that_encloses_another_is_not_cut() {
    let text = "[[provider]]\nid = \"a\"\npreset = \"openai\"\n[[target]]\nid = \"x\"\nprovider = \"a\"\nmodel = \"m\"\n[provider.query]\nq = \"1\"\n";
    let mut file = SettingsFile::fresh(Path::new("vacancy.toml"), text);
    let refused = file.remove_provider(&"a".into());
    assert!(matches!(refused, Err(WriteError::Unfaithful { .. })), "{refused:?}\n{}", file.text());
}

#[test]
fn a_provider_with_targets_cannot_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vacancy.toml");
    fs::write(&path, SMALL).unwrap();
    let mut file = SettingsFile::read(&path).unwrap();
    file.remove_provider(&"a".into()).unwrap();
    assert!(matches!(file.save(), Err(WriteError::Invalid { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), SMALL);
}

#[test]
fn writing_is_whole_private_and_never_over_another_s_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/vacancy.toml");
    let mut file = SettingsFile::fresh(&path, "[ui]\n");
    file.save().unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600, "a new file is private");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        file.set(&Field::Zoom(2.0)).unwrap();
        file.save().unwrap();
        assert_eq!(mode(&path), 0o640, "the owner's own rights are kept");
    }
    file.set(&Field::Zoom(1.5)).unwrap();
    fs::write(&path, "# by somebody else\n").unwrap();
    assert!(matches!(file.save(), Err(WriteError::Changed { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "# by somebody else\n");
    fs::remove_file(&path).unwrap();
    assert!(matches!(file.save(), Err(WriteError::Changed { .. })), "a deleted file is a change too");
    fs::write(&path, "").unwrap();
    assert!(matches!(SettingsFile::fresh(&path, "[ui]\n").save(), Err(WriteError::Exists { .. })));
    let left: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["vacancy.toml"], "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_survives() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("dotfiles.toml"), folder.path().join("vacancy.toml"));
    fs::write(&target, "# mine\n").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let mut file = SettingsFile::read(&link).unwrap();
    file.set(&Field::KeepDays(30)).unwrap();
    file.save().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "# mine\n\n[data]\nkeep_days = 30\n");
}

#[test]
fn messages_name_the_place() {
    assert_eq!(
        complaints(
            "[[provider]]\nid = \"openai\"\npreset = \"openai\"\n[[target]]\nid = \"t\"\nprovider = \"opnai\"\nmodel = \"m\"\n"
        ),
        ["vacancy.toml:6:12: error: unknown provider `opnai`. Did you mean `openai`?"]
    );
}

/// A file that people could have written: the full one with comments, odd spacing and missing tables.
fn written() -> impl Strategy<Value = String> {
    let full =
        fs::read_to_string(fixtures("valid").into_iter().find(|path| path.ends_with("full.toml")).unwrap()).unwrap();
    let lines: Vec<String> = full.replace("\r\n", "\n").lines().map(str::to_owned).collect();
    let count = lines.len();
    let drops = proptest::sample::subsequence(vec!["[ui]", "[schedule]", "[notices]", "[data]", "[[chain]]"], 0..=5);
    (proptest::collection::vec(0..8u8, count), drops, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        move |(noise, drops, crlf, bom, last)| {
            let mut out = Vec::new();
            let mut is_dropped = false;
            for (line, noise) in lines.iter().zip(noise) {
                if line.starts_with('[') {
                    is_dropped = drops.contains(&line.as_str());
                }
                if is_dropped {
                    continue;
                }
                match noise {
                    0 => out.push("# 注释 = [\"not a value\"]".to_owned()),
                    1 => out.push(String::new()),
                    2 => out.push("   \t".to_owned()),
                    _ => {}
                }
                out.push(if noise == 3 { format!("{line}   # behind") } else { line.clone() });
            }
            let mut text = out.join("\n");
            if last {
                text.push('\n');
            }
            let text = if crlf { text.replace('\n', "\r\n") } else { text };
            if bom { format!("\u{feff}{text}") } else { text }
        },
    )
}

fn field() -> impl Strategy<Value = Field> {
    prop_oneof![
        (1..86_400u64).prop_map(|seconds| Field::Every(Duration::from_secs(seconds))),
        (1..86_400u64).prop_map(|seconds| Field::SlowEvery(Duration::from_secs(seconds))),
        any::<bool>().prop_map(Field::Recovered),
        proptest::sample::select(Close::ALL.to_vec()).prop_map(|(_, close)| Field::Close(close)),
        proptest::sample::select(vec![None, Some(Lang::English), Some(Lang::Chinese)]).prop_map(Field::Language),
        proptest::sample::select(ThemeChoice::ALL.to_vec()).prop_map(|(_, theme)| Field::Theme(theme)),
        (50..=300u16).prop_map(|percent| Field::Zoom(f32::from(percent) / 100.0)),
        Just(Field::Zone(Some("Europe/Berlin".to_owned()))),
        Just(Field::Zone(None)),
        (7..36_000u32).prop_map(Field::KeepDays),
    ]
}

/// Length of what two texts share at their beginning and at their end.
fn shared(a: &str, b: &str) -> (usize, usize) {
    let front = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let room = a.len().min(b.len()) - front;
    let back = a.bytes().rev().zip(b.bytes().rev()).take(room).take_while(|(a, b)| a == b).count();
    (front, back)
}

/// What a file says, without how it says it.
fn parsed(text: &str) -> serde_json::Value {
    toml_edit::de::from_str(text.trim_start_matches('\u{feff}')).unwrap()
}

proptest! {
    #![proptest_config(crate::support::properties::cases(200))]

    /// Setting a value touches one place, keeps every line ending, and sets that value alone.
    #[test]
    fn setting_a_value_leaves_every_other_byte(text in written(), field in field()) {
        let after = edited(&text, |file| file.set(&field));
        let (front, back) = shared(&text, &after);
        // Only an old value may be gone: none is longer than this.
        prop_assert!(front + back + "\"Asia/Kathmandu\"".len() >= text.len(), "{text:?}\n{after:?}");
        prop_assert_eq!(text.starts_with('\u{feff}'), after.starts_with('\u{feff}'));
        if text.contains("\r\n") {
            prop_assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
        } else {
            prop_assert!(!after.contains('\r'));
        }
        let (mut old, mut new) = (parsed(&text), parsed(&after));
        let (table, key) = match &field {
            Field::Every(_) => ("schedule", "every"),
            Field::SlowEvery(_) => ("schedule", "slow_every"),
            Field::Recovered(_) => ("notices", "recovered"),
            Field::Close(_) => ("background", "close"),
            Field::Language(_) => ("ui", "language"),
            Field::Theme(_) => ("ui", "theme"),
            Field::Zoom(_) => ("ui", "zoom"),
            Field::Zone(_) => ("ui", "zone"),
            Field::KeepDays(_) => ("data", "keep_days"),
        };
        prop_assert!(new[table].as_object_mut().unwrap().remove(key).is_some());
        match old.get_mut(table) {
            Some(values) => drop(values.as_object_mut().unwrap().remove(key)),
            None => drop(new.as_object_mut().unwrap().remove(table)),
        }
        prop_assert_eq!(old, new);
    }

    /// Removing a target takes its table and its name in the chains, and leaves all before it byte for byte.
    #[test]
    fn removing_takes_one_target_alone(text in written(), which in 0..4usize) {
        let id = ["fallback", "opus", "plan", "desk"][which];
        let after = edited(&text, |file| file.remove_target(&id.into()));
        let named = text.find(&format!("id = \"{id}\"")).unwrap();
        let start = text[..named].rfind("[[target]]").unwrap();
        prop_assert!(after.starts_with(text[..start].trim_end()), "{text:?}\n{after:?}");
        prop_assert_eq!(text.contains("\r\n"), after.contains("\r\n"));
        let (mut old, new) = (parsed(&text), parsed(&after));
        old["target"].as_array_mut().unwrap().retain(|target| target["id"] != id);
        for chain in old.get_mut("chain").and_then(|chains| chains.as_array_mut()).into_iter().flatten() {
            chain["targets"].as_array_mut().unwrap().retain(|target| target != id);
        }
        prop_assert_eq!(old, new);
    }

    /// Whatever stands in the file, reading it ends with settings or with findings, and every finding has a place.
    #[test]
    fn any_text_is_read_or_refused(text in "(\\[\\[(provider|target|chain|rule)\\]\\]\n|\\[(ui|schedule|data)\\]\n|(id|model|key|every|zoom|targets|status|daily_cap) = (\"a\"|1|\\[\\]|\\{\\}|true|-0.5|1979-05-27)\n|[ -~é]{0,6}\n){0,12}") {
        if let Err(findings) = SettingsFile::fresh(Path::new("vacancy.toml"), &text).resolve() {
            prop_assert!(!findings.is_empty());
            for finding in findings {
                prop_assert!(finding.line >= 1 && finding.line <= text.lines().count() + 1);
                prop_assert!(!finding.line_text(&Tr::new(Lang::English)).is_empty());
            }
        }
    }
}

#[test]
fn names_hold_no_control_characters() {
    for name in ["a\\nb", "\\u001b[31mred", "a\\u0000", "a\\tb", "a\\u0085"] {
        let text = format!(
            "[[provider]]\nid = \"p\"\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\
             [[target]]\nid = \"{name}\"\nprovider = \"p\"\nmodel = \"{name}\"\n"
        );
        let found = complaints(&text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("vacancy.toml:6:6: error: `id` must not hold"), "{found:?}");
        assert!(found[1].starts_with("vacancy.toml:8:9: error: `model` must not hold"), "{found:?}");
    }
}

/// A pipe without a writer would block for ever, and a device never ends: both are told of at once.
#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    assert!(std::process::Command::new("mkfifo").arg(at("pipe.toml")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", at("zero.toml")).unwrap();
    fs::create_dir(at("folder.toml")).unwrap();
    for name in ["pipe.toml", "zero.toml", "folder.toml"] {
        let found = Settings::load(&at(name)).unwrap_err();
        assert_eq!(found[0].problem, vacancy::settings::finding::Problem::NotAFile, "{name}");
    }
    fs::write(at("large.toml"), vec![b'#'; (4 << 20) + 1]).unwrap();
    let found = Settings::load(&at("large.toml")).unwrap_err();
    assert!(matches!(found[0].problem, vacancy::settings::finding::Problem::TooLarge { most_mib: 4 }), "{found:?}");
}

#[test]
fn a_chain_is_for_any_tool_that_can_be_read_by_any_of_its_names() {
    for tool in vacancy::switch::tools::ALL {
        for name in [tool.id()].iter().chain(tool.other_ids()) {
            let settings = load(&format!(
                "[[target]]\nid = \"a\"\nprovider = \"codex\"\nmodel = \"a\"\n\n\
                 [[chain]]\nname = \"own\"\ntool = \"{name}\"\ntargets = [\"a\"]\n"
            ));
            let chain = settings.chain_for(tool.id()).unwrap();
            assert_eq!((chain.name.as_str(), chain.tool.as_deref()), ("own", Some(tool.id())), "{name}");
        }
    }
}

/// The first file explains every key: what can be read is in it, at least as a comment.
#[test]
fn the_first_file_explains_every_key() {
    let lists = regex::Regex::new(
        r#"(?s)(?:section\(\s*"[^"]+",\s*\w+,\s*&\[|: (?:&\[&str\]|\[&str; \d+\]) = &?\[)([^\]]*)\]"#,
    )
    .unwrap();
    let word = regex::Regex::new(r#""(\w+)""#).unwrap();
    let sources = crate::support::sources::all();
    let starter = &sources.iter().find(|source| source.path == "settings/starter.rs").unwrap().text;
    let (mut read, mut missing) = (0, Vec::new());
    for source in sources.iter().filter(|source| source.path.starts_with("settings/resolve/")) {
        let code = source.code();
        for key in lists.captures_iter(&code).flat_map(|list| word.captures_iter(list.get(1).unwrap().as_str())) {
            read += 1;
            if !regex::Regex::new(&format!(r"\b{}\b", &key[1])).unwrap().is_match(starter) {
                missing.push(format!("{} ({})", &key[1], source.path));
            }
        }
    }
    assert!(read > 40, "{read} keys were found");
    assert!(missing.is_empty(), "not in settings/starter.rs: {missing:?}");
}
