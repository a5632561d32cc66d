//! How each tool is called for one short answer: arguments, variables and files. Pure.
//!
//! A tool refuses options that it does not know, and gains and loses them from version to version. So an option is passed
//! only when the tool's own help names it ([`Abilities`]); what is needed to be safe at all is passed always.

use std::path::{Path, PathBuf};

use crate::toolprobe::Program;

/// What is asked. The answer is never looked at.
const PROMPT: &str = "Reply with OK";
/// In place of the tool's own long instructions, where it takes another.
const INSTRUCTIONS: &str = "Reply OK.";

/// Features of Codex that a short answer does not need and that cost tokens or wait for ever.
const CODEX_FEATURES: [&str; 10] = [
    "shell_tool",
    "unified_exec",
    "view_image",
    "apps",
    "plugins",
    "multi_agent",
    "goals",
    "image_generation",
    "skill_search",
    // Without it a run ends when there is no network, where it else waits for ever.
    "unbounded_connection_retries",
];

/// Settings of Codex that make the request smaller; a version that does not know one ignores it.
const CODEX_SETTINGS: [&str; 6] = [
    "model_reasoning_effort=\"low\"",
    "project_doc_max_bytes=0",
    "web_search=\"disabled\"",
    "skills.include_instructions=false",
    "include_permissions_instructions=false",
    "include_environment_context=false",
];

/// What the installed version can be told, from what it says itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    options: Vec<String>,
    features: Vec<String>,
}

impl Abilities {
    /// Reads the tool's help, and for Codex what `codex features list` prints.
    pub fn read(help: &str, features: &str) -> Self {
        let options = help
            .split(|c: char| {
                c.is_whitespace() || matches!(c, ',' | '=' | '<' | '[' | ']' | '|' | '(' | ')' | '`' | '"')
            })
            .filter(|word| word.starts_with("--") && word.len() > 2)
            .map(|word| word.trim_end_matches(['.', ':', ';', '\'']).to_owned());
        let features = features.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
        Self { options: options.collect(), features: features.collect() }
    }

    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|other| other == option)
    }

    /// Whether the request can be made small, which decides what a probe costs.
    pub fn is_trimmed(&self, program: Program) -> bool {
        match program {
            Program::Codex => {
                self.has("--ignore-user-config") && self.features.iter().any(|feature| feature == "shell_tool")
            }
            Program::ClaudeCode => self.has("--tools") && self.has("--system-prompt"),
            Program::GeminiCli => self.has("--skip-trust"),
            Program::Opencode => self.has("--agent") && self.has("--pure"),
        }
    }
}

/// One call of a tool, without a shell: nothing in it is ever expanded or quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The arguments after the program.
    pub arguments: Vec<String>,
    /// Variables besides those that are passed through.
    pub variables: Vec<(&'static str, String)>,
    /// Small files to write first, by their place in the working folder.
    pub files: Vec<(PathBuf, &'static str)>,
}

/// The call that asks `model` for a short answer in `folder`, an empty private one.
pub fn invocation(program: Program, model: &str, folder: &Path, abilities: &Abilities) -> Invocation {
    let mut call = Call { abilities, arguments: Vec::new(), variables: Vec::new(), files: Vec::new() };
    match program {
        Program::Codex => codex(&mut call, model, folder),
        Program::ClaudeCode => claude(&mut call, model),
        Program::GeminiCli => gemini(&mut call, model, folder),
        Program::Opencode => opencode(&mut call, model),
    }
    Invocation { arguments: call.arguments, variables: call.variables, files: call.files }
}

/// The arguments that print the help which [`Abilities::read`] reads; no request is made.
pub const fn help(program: Program) -> &'static [&'static str] {
    match program {
        Program::Codex => &["exec", "--help"],
        Program::ClaudeCode | Program::GeminiCli => &["--help"],
        Program::Opencode => &["run", "--help"],
    }
}

/// The variables of the user's that a tool may need to find its login, its home and the network. Keys are not among them:
/// a tool that is given one leaves the plan, whose state is asked for, and somebody pays.
pub fn is_passed(name: &str) -> bool {
    const PASSED: &[&str] = &[
        // Where things are.
        "HOME",
        "PATH",
        "USER",
        "LOGNAME",
        "SHELL",
        "LANG",
        "TZ",
        "APPDATA",
        "LOCALAPPDATA",
        "USERPROFILE",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "PATHEXT",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "HOMEDRIVE",
        "HOMEPATH",
        "USERNAME",
        // How the network is reached.
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "NODE_EXTRA_CA_CERTS",
        "NODE_USE_SYSTEM_CA",
        "CODEX_CA_CERTIFICATE",
        // Where a login is kept.
        "DBUS_SESSION_BUS_ADDRESS",
        "CODEX_HOME",
        "CODEX_SQLITE_HOME",
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_CLOUD_PROJECT_ID",
        "GOOGLE_GENAI_USE_GCA",
        "OPENCODE_CONFIG",
        "OPENCODE_CONFIG_DIR",
    ];
    let upper = name.to_ascii_uppercase();
    PASSED.contains(&upper.as_str()) || upper.starts_with("XDG_") || upper.starts_with("LC_")
}

struct Call<'a> {
    abilities: &'a Abilities,
    arguments: Vec<String>,
    variables: Vec<(&'static str, String)>,
    files: Vec<(PathBuf, &'static str)>,
}

impl Call<'_> {
    fn add(&mut self, arguments: &[&str]) {
        self.arguments.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    }

    /// An option, when this version has it.
    fn option(&mut self, arguments: &[&str]) {
        if arguments.first().is_some_and(|option| self.abilities.has(option)) {
            self.add(arguments);
        }
    }

    fn set(&mut self, name: &'static str, value: &str) {
        self.variables.push((name, value.to_owned()));
    }
}

fn codex(call: &mut Call<'_>, model: &str, folder: &Path) {
    call.add(&["exec", "--json"]);
    for option in ["--ephemeral", "--ignore-user-config", "--ignore-rules"] {
        call.option(&[option]);
    }
    call.add(&["--skip-git-repo-check", "--sandbox", "read-only", "--cd", &folder.to_string_lossy(), "--model", model]);
    for setting in CODEX_SETTINGS {
        call.add(&["--config", setting]);
    }
    for feature in CODEX_FEATURES {
        // An unknown name would end the run.
        if call.abilities.features.iter().any(|known| known == feature) {
            call.add(&["--disable", feature]);
        }
    }
    call.add(&[PROMPT]);
}

fn claude(call: &mut Call<'_>, model: &str) {
    call.add(&["--print", PROMPT, "--model", model, "--output-format", "json"]);
    call.option(&["--no-session-persistence"]);
    call.option(&["--tools", ""]);
    for option in ["--safe-mode", "--strict-mcp-config", "--disable-slash-commands"] {
        call.option(&[option]);
    }
    call.option(&["--setting-sources", ""]);
    call.option(&["--system-prompt", INSTRUCTIONS]);
    // Else a refusal is repeated for three minutes.
    call.set("CLAUDE_CODE_MAX_RETRIES", "0");
    call.set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    call.set("DISABLE_AUTOUPDATER", "1");
}

fn gemini(call: &mut Call<'_>, model: &str, folder: &Path) {
    call.add(&["--prompt", PROMPT, "--model", model, "--output-format", "stream-json"]);
    call.option(&["--skip-trust"]);
    // A name that nothing has: neither the user's servers nor extensions are started.
    call.option(&["--allowed-mcp-server-names", "none"]);
    call.option(&["--extensions", "none"]);
    // Without it the settings of the folder are not read (0.61), whatever the option says.
    call.set("GEMINI_CLI_TRUST_WORKSPACE", "true");
    call.files.push((PathBuf::from("system.md"), INSTRUCTIONS));
    // The settings of the folder that it is run in: no tool has this name.
    call.files.push((PathBuf::from(".gemini/settings.json"), r#"{"tools":{"core":["none"]}}"#));
    let instructions = folder.join("system.md");
    call.set("GEMINI_SYSTEM_MD", &instructions.to_string_lossy());
}

fn opencode(call: &mut Call<'_>, model: &str) {
    call.add(&["run", "--format", "json"]);
    call.option(&["--pure"]);
    // While it repeats a refusal it prints nothing; its log names the refusal.
    call.option(&["--print-logs"]);
    call.option(&["--log-level", "ERROR"]);
    // Without a title another request is made to invent one.
    call.option(&["--title", "probe"]);
    call.option(&["--agent", "vacancy"]);
    call.add(&["--model", model, PROMPT]);
    call.set(
        "OPENCODE_CONFIG_CONTENT",
        r#"{"autoupdate":false,"share":"disabled","agent":{"vacancy":{"mode":"primary","prompt":"Reply OK.","tools":{"*":false}}}}"#,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODEX_HELP: &str = "Usage: codex exec [OPTIONS] [PROMPT]\n      --ephemeral\n  -c, --config <key=value>\n      \
        --ignore-user-config\n          Do not load `$CODEX_HOME/config.toml`\n      --ignore-rules\n      --json\n";

    fn call(program: Program, help: &str, features: &str) -> Invocation {
        invocation(program, "a b; $(c)", Path::new("/private/folder"), &Abilities::read(help, features))
    }

    fn has(call: &Invocation, words: &[&str]) -> bool {
        call.arguments.windows(words.len()).any(|window| window == words)
    }

    #[test]
    fn a_model_is_one_argument_whatever_stands_in_it() {
        for program in Program::ALL {
            let call = call(program, "", "");
            assert!(has(&call, &["--model", "a b; $(c)"]), "{program:?} {:?}", call.arguments);
            assert_eq!(call.arguments.iter().filter(|argument| argument.contains("$(c)")).count(), 1);
        }
    }

    #[test]
    fn codex_is_told_what_its_version_knows() {
        let new =
            call(Program::Codex, CODEX_HELP, "apps   stable  true\nshell_tool  stable  true\nsomething  x  true\n");
        assert!(has(&new, &["--ephemeral", "--ignore-user-config", "--ignore-rules"]));
        assert!(has(&new, &["--disable", "shell_tool", "--disable", "apps", "Reply with OK"]), "{:?}", new.arguments);
        assert!(!has(&new, &["--disable", "something"]) && !has(&new, &["--disable", "plugins"]));
        assert!(Abilities::read(CODEX_HELP, "shell_tool").is_trimmed(Program::Codex));

        let old = call(Program::Codex, "  -c, --config <key=value>\n  --json\n", "");
        assert!(!old.arguments.iter().any(|argument| argument == "--ephemeral" || argument == "--disable"));
        assert!(has(&old, &["--sandbox", "read-only", "--cd", "/private/folder"]));
        assert_eq!(old.arguments.last().map(String::as_str), Some("Reply with OK"));
    }

    #[test]
    fn claude_keeps_no_session_has_no_tools_and_does_not_repeat() {
        let help = "  --tools <tools...>  Use \"\" to disable\n  --no-session-persistence\n  --system-prompt <prompt>\n  \
                    --setting-sources <sources>\n  --safe-mode";
        let call = call(Program::ClaudeCode, help, "");
        for words in [&["--tools", ""][..], &["--setting-sources", ""], &["--no-session-persistence"], &["--safe-mode"]]
        {
            assert!(has(&call, words), "{words:?}");
        }
        assert!(
            !has(&call, &["--strict-mcp-config"]) && !has(&call, &["--bare"]) && !has(&call, &["--fallback-model"])
        );
        assert!(call.variables.contains(&("CLAUDE_CODE_MAX_RETRIES", "0".to_owned())));
        assert!(!Abilities::read("--model", "").is_trimmed(Program::ClaudeCode));
    }

    #[test]
    fn the_small_files_are_what_they_are_named_for() {
        let gemini = call(Program::GeminiCli, "--skip-trust", "");
        let (path, text) = &gemini.files[1];
        assert_eq!(path, Path::new(".gemini/settings.json"));
        assert!(serde_json::from_str::<serde_json::Value>(text).is_ok());
        let instructions = Path::new("/private/folder").join("system.md").to_string_lossy().into_owned();
        assert!(gemini.variables.contains(&("GEMINI_SYSTEM_MD", instructions)));
        assert!(gemini.variables.contains(&("GEMINI_CLI_TRUST_WORKSPACE", "true".to_owned())));
        let opencode = call(Program::Opencode, "--agent --pure --title", "");
        let config: serde_json::Value = serde_json::from_str(&opencode.variables[0].1).unwrap();
        assert_eq!(config["agent"]["vacancy"]["tools"]["*"], false);
        assert!(has(&opencode, &["--agent", "vacancy"]));
    }

    #[test]
    fn no_key_is_passed_and_what_finds_the_login_is() {
        for name in [
            "OPENAI_API_KEY",
            "CODEX_API_KEY",
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_BASE_URL",
            "GEMINI_API_KEY",
            "AWS_SECRET_ACCESS_KEY",
            "GITHUB_TOKEN",
            "NODE_OPTIONS",
            "LD_PRELOAD",
        ] {
            assert!(!is_passed(name), "{name}");
        }
        for name in ["HOME", "Path", "https_proxy", "CODEX_HOME", "XDG_DATA_HOME", "LC_ALL", "SystemRoot"] {
            assert!(is_passed(name), "{name}");
        }
    }
}
