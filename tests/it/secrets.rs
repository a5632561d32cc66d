//! Keys are read where they are kept, and a subscription's login never is.

use std::path::Path;
use std::time::Duration;

use vacancy::core::outcome::{Kind, Scope};
use vacancy::i18n::{Lang, Tr};
use vacancy::secrets::{KeyRef, Secret, SecretError, Secrets, SystemSecrets, ToolKey};
use vacancy::settings::env::Env;
use vacancy::settings::roots::Roots;

use crate::support::homes;

/// A private home with these files.
struct World {
    home: tempfile::TempDir,
    env: Env,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = home.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self { home, env: Env::default() }
    }

    fn secrets(&self) -> SystemSecrets {
        SystemSecrets::new(self.env.clone(), roots(self.home.path(), None))
    }

    async fn read(&self, key: &KeyRef) -> Result<Option<String>, SecretError> {
        Ok(self.secrets().read(key).await?.map(|secret| secret.expose().to_owned()))
    }
}

fn roots(home: &Path, root: Option<&Path>) -> Roots {
    Roots { root: root.map(Path::to_path_buf), ..homes::roots(&home.join("own"), home) }
}

fn tool(text: &str) -> KeyRef {
    KeyRef::Tool(ToolKey::parse(text).unwrap())
}

fn command(argv: &[&str]) -> KeyRef {
    KeyRef::Command(argv.iter().map(|word| (*word).to_owned()).collect())
}

#[tokio::test]
async fn the_environment_is_read_at_the_moment_of_use() {
    let mut world = World::new(&[]);
    world.env.set("GOOD", " sk-good \n");
    world.env.set("BLANK", "  ");
    assert_eq!(world.read(&KeyRef::None).await, Ok(None));
    assert_eq!(world.read(&KeyRef::Env("GOOD".into())).await, Ok(Some("sk-good".into())));
    for name in ["BLANK", "ABSENT"] {
        let error = world.read(&KeyRef::Env(name.into())).await.unwrap_err();
        assert_eq!(error, SecretError::EnvUnset { name: name.into() });
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_is_run_without_a_shell_and_within_its_deadline() {
    let mut world = World::new(&[]);
    world.env.set("MARK", "from-env");
    assert_eq!(world.read(&command(&["printf", "  key-%s\n", "1; echo no"])).await, Ok(Some("key-1; echo no".into())));
    assert_eq!(world.read(&command(&["printenv", "MARK"])).await, Ok(Some("from-env".into())));
    let program = "sh".to_owned();
    assert_eq!(
        world.read(&command(&["sh", "-c", "echo secret; exit 3"])).await,
        Err(SecretError::CommandFailed { program: program.clone(), status: "exit status: 3".into() })
    );
    for silent in ["true", "echo a; echo b", "yes"] {
        let error = world.read(&command(&["sh", "-c", silent])).await.unwrap_err();
        assert_eq!(error, SecretError::CommandOutput { program: program.clone() }, "{silent}");
    }
    assert!(matches!(world.read(&command(&["no-such-program-1"])).await, Err(SecretError::CommandStart { .. })));
    assert_eq!(world.read(&command(&[])).await, Err(SecretError::CommandEmpty));
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_that_hangs_is_killed() {
    let world = World::new(&[]);
    let pid_file = world.home.path().join("pid");
    let script = format!("echo $$ > {}; exec sleep 600", pid_file.display());
    let secrets = world.secrets().with_command_deadline(Duration::from_millis(500));
    let error = secrets.read(&command(&["sh", "-c", &script])).await.unwrap_err();
    assert!(matches!(error, SecretError::CommandTimeout { .. }), "{error:?}");
    // It is reaped before the error comes back, so that signal 0 finds nobody.
    let pid = std::fs::read_to_string(pid_file).unwrap();
    let alive =
        std::process::Command::new("kill").args(["-0", pid.trim()]).stderr(std::process::Stdio::null()).status();
    assert!(!alive.unwrap().success());
}

#[tokio::test]
async fn tools_keep_api_keys_in_their_own_files() {
    let mut world = World::new(&[
        (".codex/auth.json", r#"{"OPENAI_API_KEY":"sk-codex","tokens":null}"#),
        ("elsewhere/auth.json", r#"{"OPENAI_API_KEY":"sk-elsewhere"}"#),
        (
            ".local/share/opencode/auth.json",
            r#"{"deepseek":{"type":"api","key":"sk-oc"},"anthropic":{"type":"oauth","access":"tok"}}"#,
        ),
        (".gemini/.env", "# mine\nexport GEMINI_API_KEY=\"g-key\" # here\n"),
        (".config/io.datasette.llm/keys.json", r#"{"// Note":"keep","openai":"sk-llm","groq":"gsk"}"#),
        (".env", "OPENAI_API_KEY=sk-aider\nDEEPSEEK_API_KEY='sk-ds'\n"),
    ]);
    for (key, value) in [
        ("codex", "sk-codex"),
        ("opencode/deepseek", "sk-oc"),
        ("gemini", "g-key"),
        ("llm", "sk-llm"),
        ("llm/groq", "gsk"),
        ("aider", "sk-aider"),
        ("aider/DEEPSEEK_API_KEY", "sk-ds"),
    ] {
        assert_eq!(world.read(&tool(key)).await, Ok(Some(value.into())), "{key}");
    }
    for missing in ["opencode/groq", "llm/none", "aider/NONE"] {
        assert!(matches!(world.read(&tool(missing)).await, Err(SecretError::ToolEntry { .. })), "{missing}");
    }
    world.env.set("CODEX_HOME", world.home.path().join("elsewhere").display().to_string());
    assert_eq!(world.read(&tool("codex")).await, Ok(Some("sk-elsewhere".into())));
}

#[tokio::test]
async fn a_mapped_root_is_looked_into() {
    let disk = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(disk.path().join("home/ann/.codex")).unwrap();
    std::fs::write(disk.path().join("home/ann/.codex/auth.json"), r#"{"OPENAI_API_KEY":"sk-disk"}"#).unwrap();
    let secrets = SystemSecrets::new(Env::default(), roots(Path::new("/home/ann"), Some(disk.path())));
    assert_eq!(secrets.read(&tool("codex")).await.unwrap().unwrap().expose(), "sk-disk");
    let error = secrets.read(&tool("llm")).await.unwrap_err();
    assert!(error.to_string().contains("/home/ann/.config"), "paths are told without the mapping: {error}");
}

#[tokio::test]
async fn a_subscriptions_login_is_refused() {
    let mut world = World::new(&[
        (".codex/auth.json", r#"{"OPENAI_API_KEY":null,"tokens":{"access_token":"secret-token"}}"#),
        (".local/share/opencode/auth.json", r#"{"anthropic":{"type":"oauth","access":"secret-token"}}"#),
        (".gemini/oauth_creds.json", "{}"),
    ]);
    for key in ["codex", "opencode/anthropic", "gemini"] {
        let error = world.read(&tool(key)).await.unwrap_err();
        assert!(matches!(error, SecretError::Subscription { .. }), "{key}: {error:?}");
        assert!(!format!("{error:?} {error}").contains("secret-token"));
    }
    world.env.set("CLAUDE_CODE_OAUTH_TOKEN", "sk-ant-oat01-secret");
    let error = world.read(&KeyRef::Env("CLAUDE_CODE_OAUTH_TOKEN".into())).await.unwrap_err();
    assert_eq!(error, SecretError::SubscriptionToken { place: "env CLAUDE_CODE_OAUTH_TOKEN".into() });
}

#[tokio::test]
async fn broken_files_are_told_without_their_content() {
    let world = World::new(&[(".codex/auth.json", r#"{"OPENAI_API_KEY": sk-naked-key"#)]);
    let error = world.read(&tool("codex")).await.unwrap_err();
    assert!(matches!(error, SecretError::ToolFile { .. }));
    assert!(!format!("{error:?} {error}").contains("sk-naked"), "{error:?}");
}

#[tokio::test]
async fn a_machine_without_a_keyring_says_so_and_never_hangs() {
    let world = World::new(&[]);
    let entry = KeyRef::Keyring("vacancy-test/no-such-entry".into());
    let error = world.read(&entry).await.unwrap_err();
    assert!(matches!(error, SecretError::KeyringUnavailable { .. } | SecretError::KeyringMissing { .. }), "{error:?}");
}

#[test]
fn a_missing_key_is_the_accounts_matter_and_has_words_in_every_language() {
    let path = std::path::PathBuf::from("/x/auth.json");
    let (program, reason) = ("pass".to_owned(), "not found".to_owned());
    let all = [
        SecretError::EnvUnset { name: "X".into() },
        SecretError::CommandEmpty,
        SecretError::CommandStart { program: program.clone(), reason: reason.clone() },
        SecretError::CommandFailed { program: program.clone(), status: "exit status: 1".into() },
        SecretError::CommandTimeout { program: program.clone(), seconds: 10 },
        SecretError::CommandOutput { program },
        SecretError::KeyringUnavailable { reason: reason.clone() },
        SecretError::KeyringMissing { entry: "vacancy/x".into() },
        SecretError::ToolFile { tool: "codex", path: path.clone(), reason },
        SecretError::ToolEntry { tool: "codex", entry: "E".into(), path: path.clone() },
        SecretError::Subscription { tool: "codex", path },
        SecretError::SubscriptionToken { place: "env X".into() },
    ];
    for error in all {
        let outcome = error.outcome();
        assert_eq!((outcome.kind, outcome.scope, &*outcome.rule), (Kind::Auth, Scope::Account, "key-missing"));
        for lang in Lang::ALL {
            assert_ne!(error.describe(&Tr::new(lang)), error.id());
        }
    }
}

#[test]
fn a_secret_shows_nothing() {
    assert_eq!(format!("{:?}", Secret::new("sk-visible")), "Secret(..)");
    assert_eq!(KeyRef::Command(vec!["sh".into(), "--password=x".into()]).to_string(), "command sh");
}
