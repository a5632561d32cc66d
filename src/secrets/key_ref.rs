//! Where a key is kept, without the key.

use std::fmt;

/// A reference to a key; it is read at the moment of use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyRef {
    /// No key is sent: local servers.
    #[default]
    None,
    /// An environment variable: `key = { env = "NAME" }`.
    Env(String),
    /// What a program prints, run without a shell: `key = { command = ["pass", "show", "openai"] }`.
    Command(Vec<String>),
    /// An entry of the OS keyring: `key = { keyring = "ENTRY" }`, or `"SERVICE/ENTRY"`; the service is `vacancy` by default.
    Keyring(String),
    /// What a coding tool keeps in its own file: `key = { tool = "codex" }`.
    Tool(ToolKey),
}

impl KeyRef {
    /// The shell variable that stands for the key in a copied command.
    pub fn variable(&self) -> &str {
        match self {
            Self::Env(name) => name,
            Self::Tool(key) => key.tool.variable(),
            Self::None | Self::Command(_) | Self::Keyring(_) => "API_KEY",
        }
    }
}

/// Says where the key is kept, in the words of the settings file.
impl fmt::Display for KeyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Env(name) => write!(f, "env {name}"),
            // Arguments can be long and are nobody's business but the user's.
            Self::Command(argv) => write!(f, "command {}", argv.first().map_or("", String::as_str)),
            Self::Keyring(entry) => write!(f, "keyring {entry}"),
            Self::Tool(key) => write!(f, "tool {key}"),
        }
    }
}

/// A coding tool whose key file we can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyTool {
    /// `auth.json` of Codex: `OPENAI_API_KEY` alone.
    Codex,
    /// `auth.json` of opencode: entries of type `api`.
    Opencode,
    /// `.gemini/.env` or `.env` in the home folder: `GEMINI_API_KEY`.
    Gemini,
    /// `keys.json` of llm.
    Llm,
    /// `.env` in the home folder, as aider reads it.
    Aider,
}

impl KeyTool {
    /// Every tool.
    pub const ALL: [Self; 5] = [Self::Codex, Self::Opencode, Self::Gemini, Self::Llm, Self::Aider];

    /// The name in the settings file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::Opencode => "opencode",
            Self::Gemini => "gemini",
            Self::Llm => "llm",
            Self::Aider => "aider",
        }
    }

    const fn variable(self) -> &'static str {
        match self {
            Self::Codex | Self::Aider => "OPENAI_API_KEY",
            Self::Gemini => "GEMINI_API_KEY",
            Self::Opencode | Self::Llm => "API_KEY",
        }
    }

    /// The entry that is meant when none is named; `None` where one has to be.
    pub const fn default_entry(self) -> Option<&'static str> {
        match self {
            Self::Codex | Self::Aider => Some("OPENAI_API_KEY"),
            Self::Gemini => Some("GEMINI_API_KEY"),
            Self::Llm => Some("openai"),
            Self::Opencode => None,
        }
    }
}

/// One key in a tool's file: `codex`, `opencode/deepseek`, `llm/anthropic`, `aider/DEEPSEEK_API_KEY`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToolKey {
    /// Whose file.
    pub tool: KeyTool,
    /// Which key in it.
    pub entry: String,
}

impl ToolKey {
    /// Reads `tool` or `tool/entry`; `None` when the tool is unknown or needs an entry.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, entry) = text.split_once('/').map_or((text, None), |(name, entry)| (name, Some(entry)));
        let tool = KeyTool::ALL.into_iter().find(|tool| tool.name() == name)?;
        let entry = entry.filter(|entry| !entry.is_empty()).or(tool.default_entry())?;
        Some(Self { tool, entry: entry.to_owned() })
    }
}

impl fmt::Display for ToolKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.tool.default_entry() == Some(self.entry.as_str()) {
            f.write_str(self.tool.name())
        } else {
            write!(f, "{}/{}", self.tool.name(), self.entry)
        }
    }
}
