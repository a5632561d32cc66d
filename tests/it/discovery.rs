//! Discovery: what is found in a home, that nothing else is touched, and that no key ever comes out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use vacancy::core::target::{Probing, Role};
use vacancy::i18n::{Lang, Tr};
use vacancy::settings::SettingsFile;
use vacancy::settings::discovery::disk::{NotingDisk, RealDisk};
use vacancy::settings::discovery::{Ask, Found, KeyPlace, Login, Reason, adopt, discover};
use vacancy::settings::env::Env;
use vacancy::settings::roots::Roots;

use crate::support::homes;

/// A home folder of its own with these files.
fn home(files: &[(&str, &str)]) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for (path, text) in files {
        homes::put(home.path(), path, text);
    }
    home
}

fn roots(home: &Path) -> Roots {
    homes::roots(&home.join("own"), home)
}

fn find(home: &Path, env: &[(&str, &str)]) -> Found {
    discover(&roots(home), &env.iter().copied().collect(), &RealDisk, &Ask::default())
}

/// Target, role, tick and reason of each proposal.
fn rows(found: &Found) -> Vec<String> {
    found
        .proposals
        .iter()
        .map(|proposal| {
            let tick = if proposal.is_ticked { "x" } else { " " };
            let reason = proposal.reason.id().trim_start_matches("discovery-reason-");
            format!("[{tick}] {} {:?} {:?} {reason}", proposal.target, proposal.role, proposal.probing)
        })
        .collect()
}

fn default_ticks(found: &Found) -> Vec<bool> {
    found.proposals.iter().map(|proposal| proposal.is_ticked).collect()
}

const CODEX: &str = r#"# Personal Codex settings
# model = "gpt-5.2"        <- last quarter's default, kept for reference
model          =   'gpt-5.5'   # pinned
review_model = "gpt-5.5-mini"

[mcp_servers.index]
command = "index-server"
env = { model = "gpt-4", INDEX_TOKEN = "sk-test-0000-index" }

[profiles.quick]
model = "gpt-5.5-mini"
"#;

#[test]
fn a_codex_plan_is_known_from_its_logs_and_never_probed() {
    let home = home(&[
        (".codex/config.toml", CODEX),
        (".codex/auth.json", r#"{"OPENAI_API_KEY": null, "tokens": {"id_token": "t", "access_token": "t"}}"#),
    ]);
    let found = find(home.path(), &[]);
    assert_eq!(found.tools[0].login, Login::Subscription);
    assert_eq!(found.tools[0].model.as_deref(), Some("gpt-5.5"));
    assert_eq!(
        rows(&found),
        [
            "[x] codex/gpt-5.5 Primary Never subscription",
            "[x] codex/gpt-5.2 Backup Never commented-out",
            "[ ] codex/gpt-5.5-mini Emergency Never named",
        ]
    );
    assert!(found.proposals.iter().all(|proposal| proposal.requests_a_day == 0 && proposal.tokens_a_day == 0));
    assert!(found.proposals[0].reason.text(&Tr::new(Lang::English)).contains("never probed"));
}

#[test]
fn a_codex_key_is_left_in_its_file() {
    let home = home(&[
        (".codex/config.toml", "model = \"gpt-5.5\"\n"),
        (".codex/auth.json", r#"{"OPENAI_API_KEY": "sk-test-000000000000"}"#),
    ]);
    let found = find(home.path(), &[]);
    assert_eq!(found.tools[0].login, Login::ApiKey);
    assert_eq!(rows(&found), ["[x] openai-responses/gpt-5.5 Primary Scheduled active"]);
    assert_eq!(found.proposals[0].provider.key.to_string(), "tool codex");
    assert!(found.proposals[0].requests_a_day > 100 && found.proposals[0].tokens_a_day > 1_000);
    assert_eq!(found.keys[0].place, KeyPlace::ToolFile);
}

#[test]
fn another_codex_home_and_provider() {
    let home = home(&[(
        "elsewhere/config.toml",
        "model = \"m\"\nmodel_provider = \"relay\"\n[model_providers.relay]\nbase_url = \"https://relay.example/v1\"\nenv_key = \"RELAY_KEY\"\n",
    )]);
    let place = home.path().join("elsewhere");
    let env = |more: &[(&str, &str)]| {
        let mut env: Env = more.iter().copied().collect();
        env.set("CODEX_HOME", place.to_str().unwrap());
        discover(&roots(home.path()), &env, &RealDisk, &Ask::default())
    };
    assert_eq!(rows(&env(&[])), ["[ ] relay/m Primary Scheduled active"], "its key is set nowhere");
    assert_eq!(rows(&env(&[("RELAY_KEY", "x")])), ["[x] relay/m Primary Scheduled active"]);
}

#[test]
fn claude_code_by_plan_key_and_relay() {
    let settings = (".claude/settings.json", r#"{"model": "opus", "fallbackModel": ["sonnet"]}"#);
    let signed_in = home(&[settings, (".claude/.credentials.json", "anything")]);
    assert_eq!(
        rows(&find(signed_in.path(), &[("ANTHROPIC_API_KEY", "x")])),
        [
            "[x] claude-code/opus Primary Never subscription",
            "[x] anthropic/claude-sonnet-4-5 Backup Scheduled key",
            "[ ] claude-code/sonnet Emergency Never named",
        ],
        "a key and a plan are different targets"
    );
    let by_key = home(&[(".claude/settings.json", r#"{"model": "claude-opus-4-5"}"#)]);
    assert_eq!(
        rows(&find(by_key.path(), &[("ANTHROPIC_API_KEY", "x")])),
        ["[x] anthropic/claude-opus-4-5 Primary Scheduled active"]
    );
    let relay = home(&[(
        ".claude/settings.json",
        r#"{"env": {"ANTHROPIC_BASE_URL": "https://relay.example/anthropic", "ANTHROPIC_MODEL": "glm-5"}}"#,
    )]);
    let found = find(relay.path(), &[("ANTHROPIC_AUTH_TOKEN", "x")]);
    assert_eq!(rows(&found), ["[x] anthropic-relay/glm-5 Primary Scheduled active"]);
    let text = adopt(&found, &[true]);
    assert!(text.contains(r#"headers = { "authorization" = "Bearer {key}" }"#), "{text}");
    // A token in the tool's own file cannot be referred to.
    let literal = home(&[(
        ".claude/settings.json",
        r#"{"env": {"ANTHROPIC_BASE_URL": "https://relay.example", "ANTHROPIC_MODEL": "glm-5", "ANTHROPIC_AUTH_TOKEN": "sk-test-3333-relay"}}"#,
    )]);
    assert!(find(literal.path(), &[]).proposals.is_empty());
}

#[test]
fn gemini_from_its_env_file() {
    let home = home(&[
        (".gemini/.env", "# shared\nGEMINI_API_KEY=sk-test-5555-gem\nexport GEMINI_MODEL=\"gemini-2.5-pro\"\n"),
        (
            ".gemini/settings.json",
            "{ \"model\": { \"name\": \"gemini-2.5-flash\" } /* \"model\": { \"name\": \"gemini-3-pro\" }, */ }",
        ),
    ]);
    let found = find(home.path(), &[]);
    assert_eq!(
        rows(&found),
        [
            "[x] gemini/gemini-2.5-pro Primary Scheduled active",
            "[x] gemini/gemini-3-pro Backup Scheduled commented-out"
        ]
    );
    assert_eq!(found.proposals[0].provider.key.to_string(), "tool gemini");
}

#[test]
fn opencode_later_files_win_and_unreachable_models_are_left_out() {
    let home = home(&[
        (".config/opencode/opencode.json", r#"{"model": "openai/old"}"#),
        (
            ".config/opencode/opencode.jsonc",
            r#"{ "model": "openrouter/qwen/qwen3-coder", // "model": "deepseek/deepseek-chat",
               "small_model": "openai/gpt-5.5-mini",
               "provider": { "openrouter": { "options": { "apiKey": "{env:OPENROUTER_API_KEY}", }, }, }, }"#,
        ),
        (
            ".local/share/opencode/auth.json",
            r#"{"deepseek": {"type": "api", "key": "k"}, "anthropic": {"type": "oauth", "access": "t"}}"#,
        ),
    ]);
    let found = find(home.path(), &[("OPENROUTER_API_KEY", "x")]);
    assert_eq!(
        rows(&found),
        [
            "[x] openrouter/qwen/qwen3-coder Primary Scheduled active",
            "[x] deepseek/deepseek-chat Backup Scheduled commented-out",
        ],
        "there is no key for openai"
    );
    assert_eq!(found.proposals[1].provider.key.to_string(), "tool opencode/deepseek");
}

#[test]
fn aider_qwen_and_llm() {
    let home = home(&[
        (".aider.conf.yml", "model: deepseek/deepseek-reasoner\n# model: gpt-5.1\nweak-model: haiku\n"),
        (".env", "DEEPSEEK_API_KEY=sk-test-8888-ds\n"),
        (
            ".qwen/settings.json",
            r#"{"model": {"name": "qwen3-coder-plus"}, "security": {"auth": {"selectedType": "openai"}},
               "modelProviders": {"openai": [{"id": "qwen3-coder-plus", "envKey": "DASHSCOPE_API_KEY", "baseUrl": "https://dashscope.aliyuncs.com/compatible-mode/v1"}]}}"#,
        ),
        (".config/io.datasette.llm/default_model.txt", "gpt-4.1\n"),
        (".config/io.datasette.llm/keys.json", r#"{"// Note": "x", "openai": "sk-test-9999-llm"}"#),
    ]);
    assert_eq!(
        rows(&find(home.path(), &[("DASHSCOPE_API_KEY", "x"), ("OPENAI_API_KEY", "x")])),
        [
            "[x] deepseek/deepseek-reasoner Primary Scheduled active",
            "[x] dashscope-cn/qwen3-coder-plus Backup Scheduled active",
            "[x] openai/gpt-4.1 Backup Scheduled active",
            "[x] openai-2/gpt-5.1 Backup Scheduled commented-out",
        ],
        "one key of llm's file, one of the environment"
    );
}

#[test]
fn keys_alone_lead_to_a_few_probes() {
    let empty = home(&[]);
    assert_eq!(find(empty.path(), &[]), Found::default());
    let names = [
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "DEEPSEEK_API_KEY",
        "GROQ_API_KEY",
        "XAI_API_KEY",
        "AZURE_OPENAI_API_KEY",
    ];
    let env: Vec<(&str, &str)> = names.iter().map(|name| (*name, "x")).collect();
    let found = find(empty.path(), &env);
    assert_eq!(found.keys.len(), names.len());
    assert_eq!(found.proposals.len(), 5, "Azure needs an address that only the user knows: {:#?}", rows(&found));
    assert_eq!(found.proposals.iter().filter(|proposal| proposal.is_ticked).count(), 4, "more is the user's own wish");
    assert_eq!(found.proposals.iter().filter(|proposal| proposal.role == Role::Primary).count(), 1);
    // Set and empty is not set.
    assert_eq!(find(empty.path(), &[("OPENAI_API_KEY", "")]), Found::default());
}

#[test]
fn broken_files_are_named_and_do_no_harm() {
    let home = home(&[
        (".codex/config.toml", "model = "),
        (".claude/settings.json", "{ // comment\n}"),
        (".gemini/settings.json", "{,}"),
        (".config/opencode/opencode.jsonc", "[]"),
        (".qwen/settings.json", "\u{feff}"),
    ]);
    let found = find(home.path(), &[]);
    assert_eq!(found.tools.iter().map(|tool| tool.unreadable.len()).sum::<usize>(), 5);
    assert!(found.proposals.is_empty());
}

/// Everything that may ever be opened, below the home folder.
const ALLOWED: &[&str] = &[
    ".codex/config.toml",
    ".codex/auth.json",
    ".claude/settings.json",
    ".gemini/settings.json",
    ".gemini/.env",
    ".env",
    ".config/opencode/config.json",
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.jsonc",
    ".local/share/opencode/auth.json",
    ".aider.conf.yml",
    ".qwen/settings.json",
    ".config/io.datasette.llm/default_model.txt",
    ".config/io.datasette.llm/keys.json",
];

/// Every tool's files with `key` wherever a key can stand.
fn crowded(key: &str) -> Vec<(String, String)> {
    let codex = format!(
        "model = \"gpt-5.5\"\nmodel_provider = \"r\"\n# model = \"{key}\"\n[model_providers.r]\nbase_url = \"https://u:{key}@r.example/v1?k={key}\"\n\
         experimental_bearer_token = \"{key}\"\nquery_params = {{ sig = \"{key}\" }}\nhttp_headers = {{ x = \"{key}\" }}\n"
    );
    let claude = format!(
        r#"{{"model": "claude-x", "apiKeyHelper": "echo {key}", "env": {{"ANTHROPIC_AUTH_TOKEN": "{key}", "ANTHROPIC_BASE_URL": "https://{key}@relay.example"}}}}"#
    );
    let opencode = format!(
        r#"{{"model": "own/m1", "small_model": "deepseek/m2", "provider": {{"own": {{"options": {{"apiKey": "{key}", "baseURL": "https://o.example/v1"}}}}}}}}"#
    );
    let qwen = format!(
        r#"{{"env": {{"X": "{key}"}}, "model": {{"name": "q"}}, "modelProviders": {{"openai": [{{"id": "q", "envKey": "Q_KEY", "baseUrl": "https://q.example/v1?key={key}"}}]}}}}"#
    );
    [
        (".codex/config.toml", codex),
        (".codex/auth.json", format!(r#"{{"OPENAI_API_KEY": "{key}", "tokens": null}}"#)),
        (".claude/settings.json", claude),
        (".gemini/settings.json", format!(r#"{{"model": {{"name": "gemini-2.5-pro"}}, "apiKey": "{key}"}}"#)),
        (".gemini/.env", format!("GEMINI_API_KEY='{key}'\n")),
        (".env", format!("OPENAI_API_KEY={key}\nDEEPSEEK_API_KEY=\"{key}\"\n")),
        (".config/opencode/opencode.json", opencode),
        (".local/share/opencode/auth.json", format!(r#"{{"deepseek": {{"type": "api", "key": "{key}"}}}}"#)),
        (".aider.conf.yml", format!("model: deepseek/deepseek-chat\nopenai-api-key: {key}\napi-key:\n  - x={key}\n")),
        (".qwen/settings.json", qwen),
        (".config/io.datasette.llm/default_model.txt", "gpt-4.1".to_owned()),
        (".config/io.datasette.llm/keys.json", format!(r#"{{"openai": "{key}"}}"#)),
    ]
    .map(|(path, text)| (path.to_owned(), text))
    .to_vec()
}

/// Path, content and time of change of everything below a folder.
fn picture(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
    let mut out = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let looks = fs::symlink_metadata(&path).unwrap();
            let bytes = if looks.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            out.insert(path.clone(), (bytes, looks.modified().unwrap()));
            if looks.is_dir() {
                open.push(path);
            }
        }
    }
    out
}

#[test]
fn only_listed_files_are_opened_and_nothing_is_written() {
    let forbidden = [
        ".claude/.credentials.json",
        ".claude.json",
        ".claude/history.jsonl",
        ".codex/history.jsonl",
        ".codex/sessions/2026/01/01/rollout.jsonl",
        ".gemini/oauth_creds.json",
        ".qwen/oauth_creds.json",
        ".ssh/id_ed25519",
        ".netrc",
    ];
    let files = crowded("sk-test-0123456789");
    let mut all: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    all.extend(forbidden.iter().map(|path| (*path, "secret")));
    let home = home(&all);
    let before = picture(home.path());
    let disk = NotingDisk::default();
    let found = discover(&roots(home.path()), &Env::default(), &disk, &Ask::default());
    assert!(found.proposals.len() >= 4, "{:#?}", rows(&found));
    let opened: BTreeSet<PathBuf> = disk.opened().into_iter().collect();
    let allowed: BTreeSet<PathBuf> = ALLOWED.iter().map(|path| home.path().join(path)).collect();
    assert!(opened.is_subset(&allowed), "{:#?}", opened.difference(&allowed));
    assert_eq!(before, picture(home.path()));
}

#[cfg(unix)]
#[test]
fn pipes_and_huge_files_do_not_stop_it() {
    let home = home(&[(".codex/config.toml", "model = \"m\"\n"), (".qwen/x", "")]);
    // Opening a pipe nobody writes to would wait for ever.
    let made = std::process::Command::new("mkfifo").arg(home.path().join(".qwen/settings.json")).status().unwrap();
    assert!(made.success());
    let huge = home.path().join(".codex/auth.json");
    fs::File::create(&huge).unwrap().set_len(1 << 33).unwrap();
    assert_eq!(find(home.path(), &[]).tools.len(), 1);
}

#[test]
fn a_root_maps_every_path_and_is_not_shown() {
    let disk = home(&[
        ("home/u/.codex/config.toml", "model = \"m\"\n"),
        ("srv/gem/.gemini/settings.json", r#"{"model": {"name": "g"}}"#),
    ]);
    let mut roots = roots(Path::new("/home/u"));
    roots.root = Some(disk.path().to_path_buf());
    let env: Env = [("GEMINI_CLI_HOME", "/srv/gem")].into_iter().collect();
    let found = discover(&roots, &env, &RealDisk, &Ask::default());
    let files: Vec<_> = found.tools.iter().flat_map(|tool| &tool.files).collect();
    assert_eq!(files, [Path::new("/home/u/.codex/config.toml"), Path::new("/srv/gem/.gemini/settings.json")]);
}

fn round_trip(found: &Found, ticked: &[bool]) {
    let text = adopt(found, ticked);
    let settings = SettingsFile::fresh(Path::new("vacancy.toml"), &text).resolve();
    let settings = settings.unwrap_or_else(|findings| panic!("{findings:#?}\n{text}"));
    assert!(settings.warnings.is_empty(), "{:#?}\n{text}", settings.warnings);
    let chosen: Vec<_> =
        found.proposals.iter().zip(ticked).filter(|(_, tick)| **tick).map(|(proposal, _)| proposal).collect();
    assert_eq!(settings.targets.len(), chosen.len(), "{text}");
    for (target, proposal) in settings.targets.iter().zip(&chosen) {
        assert_eq!(
            (&target.id, &target.model, &target.provider),
            (&proposal.target, &proposal.model, &proposal.provider.id)
        );
        assert_eq!(target.probing, proposal.probing, "{}", target.id);
        assert_eq!(target.dialect, proposal.provider.dialect, "{}", target.id);
        match settings.provider(&target.provider) {
            Some(provider) => assert_eq!(provider.key, proposal.provider.key),
            None => assert!(proposal.provider.is_subscription),
        }
    }
    let primaries = settings.targets.iter().filter(|target| target.role == Some(Role::Primary)).count();
    assert_eq!(primaries, usize::from(!chosen.is_empty()));
}

#[test]
fn an_adopted_file_without_anything_is_valid_and_explains_itself() {
    let text = adopt(&Found::default(), &[]);
    let settings = SettingsFile::fresh(Path::new("vacancy.toml"), &text).resolve().unwrap();
    assert!(settings.targets.is_empty() && settings.warnings.is_empty());
    // What the comments offer must hold too: every commented key, uncommented, is accepted.
    let mut offered = String::new();
    for line in text.lines() {
        let bare = line.strip_prefix("# ").unwrap_or_default();
        let is_key = bare
            .split_once(" = ")
            .is_some_and(|(key, _)| key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
        // A table that is offered as a whole.
        let is_table = ["[tool_probe", "[switch.", "[projects]", "[metrics]"].iter().any(|head| bare.starts_with(head));
        if line.starts_with('[')
            || is_table
            || (is_key && !line.contains("first") && bare.starts_with(char::is_lowercase))
        {
            // A remark behind a value is set apart by two spaces.
            let value = if line.starts_with('[') { line } else { bare.split("  ").next().unwrap() };
            offered.push_str(value);
            offered.push('\n');
        }
    }
    let offered = offered.split("id = \"my-relay-full\"").next().unwrap().replace("name = \"main\"\n", "");
    assert!(offered.contains("keep_days") && offered.contains("slow_every") && offered.contains("zone"), "{offered}");
    SettingsFile::fresh(Path::new("vacancy.toml"), &offered).resolve().unwrap();
}

proptest! {
    #![proptest_config(crate::support::properties::cases(64))]

    /// A random key in every place where one can stand never comes out, in any form of output.
    #[test]
    fn no_key_ever_comes_out(key in "sk-[a-zA-Z0-9]{24,40}", ticks in any::<u32>()) {
        let files = crowded(&key);
        let home = home(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
        let names = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GEMINI_API_KEY", "Q_KEY", "GROQ_API_KEY"];
        let found = find(home.path(), &names.map(|name| (name, key.as_str())));
        let ticked: Vec<bool> = (0..found.proposals.len()).map(|at| ticks & (1 << (at % 32)) != 0).collect();
        round_trip(&found, &ticked);
        round_trip(&found, &default_ticks(&found));
        let all = format!("{found:?}{found:#?}{}", adopt(&found, &ticked));
        prop_assert!(!all.contains(&key), "{}", all.replace(&key, "<KEY>"));
        for proposal in &found.proposals {
            for lang in Lang::ALL {
                prop_assert!(!proposal.reason.text(&Tr::new(lang)).contains(&key));
            }
        }
    }

    /// Any text in any file is read or left, without a panic.
    #[test]
    fn any_text_in_a_tool_s_file(text in ".{0,80}", which in 0..ALLOWED.len()) {
        let home = home(&[(ALLOWED[which], &text)]);
        let found = find(home.path(), &[]);
        round_trip(&found, &vec![true; found.proposals.len()]);
    }

    /// Whatever model a tool names, the written file says the same.
    #[test]
    fn any_model_s_name_survives(model in "[ -~é模]{1,40}") {
        let line = toml_edit::Value::from(model.as_str()).to_string();
        let home = home(&[(".codex/config.toml", &format!("model = {line}\n"))]);
        let found = find(home.path(), &[]);
        round_trip(&found, &vec![true; found.proposals.len()]);
    }
}

#[cfg(unix)]
mod login_shell {
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::Duration;

    use vacancy::settings::discovery::shell;

    use super::*;

    /// A shell of our own: a script that gets `-l -i -c SCRIPT`.
    fn fake(folder: &Path, body: &str) -> String {
        let path = folder.join("shell");
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn only_names_come_back_whatever_start_up_files_print() {
        let folder = tempfile::tempdir().unwrap();
        let shell = fake(
            folder.path(),
            "echo welcome; echo noise >&2; export DEEPSEEK_API_KEY=sk-secret MANY='a\nFAKE_LINE=b' EMPTY=; /bin/sh -c \"$4\"; echo bye",
        );
        let names = shell::variables(&shell, Duration::from_secs(60));
        assert!(names.contains("DEEPSEEK_API_KEY") && names.contains("MANY"), "{names:?}");
        assert!(!names.contains("EMPTY") && !names.contains("bye"), "{names:?}");
        assert!(!names.iter().any(|name| name.contains("secret")), "{names:?}");
    }

    #[test]
    fn a_shell_that_hangs_is_stopped_with_all_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let pids = folder.path().join("pids");
        let shell = fake(folder.path(), &format!("sleep 1000 & echo $! $$ > {}; wait", pids.display()));
        assert!(shell::variables(&shell, Duration::from_millis(300)).is_empty());
        // The system takes a moment to bury them; a zombie counts as gone.
        let Ok(pids) = fs::read_to_string(&pids) else { return };
        for pid in pids.split_whitespace() {
            let is_alive = || {
                let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                state.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
            };
            while is_alive() {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn something_left_running_does_not_hold_us_up() {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let shell = fake(
            folder.path(),
            &format!("sleep 1000 & echo $! > {}; export A_KEY=1; /bin/sh -c \"$4\"", pid.display()),
        );
        assert!(shell::variables(&shell, Duration::from_secs(60)).contains("A_KEY"));
        let pid = fs::read_to_string(pid).unwrap();
        assert!(
            std::process::Command::new("/bin/sh")
                .args(["-c", &format!("kill {}", pid.trim())])
                .status()
                .unwrap()
                .success()
        );
    }

    #[test]
    fn a_key_of_the_login_shell_is_asked_of_it_and_comes_alone() {
        let folder = tempfile::tempdir().unwrap();
        let shell = fake(folder.path(), "echo welcome; echo noise >&2; export A_KEY=from-shell; eval \"$4\"; echo bye");
        let command = shell::key_command(&shell, "A_KEY");
        let printed = |env: Option<&str>| {
            let mut run = std::process::Command::new(&command[0]);
            run.args(&command[1..]).env_remove("A_KEY").envs(env.map(|value| ("A_KEY", value)));
            String::from_utf8(run.output().unwrap().stdout).unwrap()
        };
        assert_eq!(printed(None), "from-shell\n");
        assert_eq!(printed(Some("already here")), "already here\n");
    }

    #[test]
    fn no_shell_is_no_names() {
        assert!(shell::variables("/nonexistent/shell", Duration::from_secs(1)).is_empty());
        let folder = tempfile::tempdir().unwrap();
        assert!(shell::variables(&fake(folder.path(), "exit 3"), Duration::from_secs(60)).is_empty());
    }
}

mod setup {
    use assert_cmd::Command;

    use super::*;

    /// Exit code, standard output and standard error of `vacancy setup`.
    fn setup(home: &Path, more: &[&str]) -> (i32, String, String) {
        setup_with(home, &["DEEPSEEK_API_KEY"], more)
    }

    /// The same with other variables that hold keys.
    fn setup_with(home: &Path, keys: &[&str], more: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("vacancy"));
        command
            .env_clear()
            .env("HOME", home)
            .envs(keys.iter().map(|name| (name, "sk-never-shown-000000")))
            .args(["--lang", "en"]);
        command.arg("--home").arg(home).arg("--data").arg(home.join("own")).args(["setup", "--no-shell"]).args(more);
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    #[test]
    fn nothing_is_written_before_yes_and_never_twice() {
        let home = home(&[(".codex/config.toml", CODEX)]);
        let before = picture(home.path());
        let file = home.path().join("own/config/vacancy.toml");
        let (code, shown, said) = setup(home.path(), &[]);
        assert_eq!(code, 4, "{said}");
        assert!(shown.contains("codex/gpt-5.5") && said.contains("--yes"), "{shown}{said}");
        let (code, json, _) = setup(home.path(), &["--json"]);
        assert_eq!(code, 4);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["proposals"][0]["target"], "codex/gpt-5.5");
        assert_eq!(json["proposals"][0]["is_subscription"], true);
        assert!(json["ticked_requests_a_day"].as_u64().unwrap() > 0);
        assert!(!json.to_string().contains("never-shown"));
        assert_eq!(before, picture(home.path()));

        let (code, shown, said) = setup(home.path(), &["--yes"]);
        assert_eq!(code, 0, "{said}");
        assert!(shown.contains("vacancy.toml"), "{shown}");
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("never-shown"), "{text}");
        let settings = vacancy::settings::Settings::load(&file).unwrap();
        assert!(settings.targets.iter().any(|target| target.probing == Probing::Never));
        assert!(settings.targets.iter().any(|target| target.model.as_str().starts_with("deepseek")));

        let (code, _, said) = setup(home.path(), &["--yes"]);
        assert_eq!(code, 3);
        assert!(said.contains("not overwritten"), "{said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }

    /// What is not ticked by itself, as it is the fifth, is by its name.
    #[test]
    fn a_model_of_the_list_is_ticked_by_its_name() {
        let home = home(&[]);
        let keys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY", "GROQ_API_KEY", "XAI_API_KEY"];
        let (_, json, _) = setup_with(home.path(), &keys, &["--json"]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let left = json["proposals"].as_array().unwrap().iter().find(|proposal| proposal["ticked"] == false);
        let name = left.unwrap()["target"].as_str().unwrap();
        let (code, _, said) = setup_with(home.path(), &keys, &["--tick", "nowhere/none", "--yes"]);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains("nowhere/none"), "{said}");
        let (code, shown, said) = setup_with(home.path(), &keys, &["--tick", name, "--yes"]);
        assert_eq!(code, 0, "{said}");
        assert!(shown.contains(&format!("[x] {name}")), "{shown}");
        let settings = vacancy::settings::Settings::load(&home.path().join("own/config/vacancy.toml")).unwrap();
        assert!(settings.target(&name.into()).is_some(), "{name}");
    }
}

#[test]
fn every_reason_has_words() {
    let reasons = [
        Reason::Active { tool: "T" },
        Reason::Named { tool: "T" },
        Reason::CommentedOut { tool: "T" },
        Reason::Subscription { tool: "T" },
        Reason::Key { variable: "T".to_owned() },
        Reason::LocalServer { name: "T" },
    ];
    for lang in Lang::ALL {
        let texts: BTreeSet<String> = reasons.iter().map(|reason| reason.text(&Tr::new(lang))).collect();
        assert_eq!(texts.len(), reasons.len());
        assert!(texts.iter().all(|text| text.contains('T')));
    }
}
