//! API keys in coding tools' own files. A subscription's login in the same file is refused, never returned.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::edit::{Document, DotenvDialect, Language};
use crate::secrets::key_ref::{KeyTool, ToolKey};
use crate::secrets::{Secret, SecretError};
use crate::settings::env::Env;
use crate::settings::roots::{Platform, Roots};

/// More than this is no key file.
const FILE_LIMIT: u64 = 1024 * 1024;

/// The key in a tool's file. Blocks.
pub(super) fn read(key: &ToolKey, env: &Env, roots: &Roots) -> Result<Secret, SecretError> {
    let place = Place { key, roots };
    match key.tool {
        KeyTool::Codex => {
            let home = env.get("CODEX_HOME").map_or_else(|| roots.home.join(".codex"), PathBuf::from);
            place.codex(&home.join("auth.json"))
        }
        KeyTool::Opencode => {
            let data = env.get("XDG_DATA_HOME").map_or_else(|| roots.home.join(".local/share"), PathBuf::from);
            place.opencode(&data.join("opencode/auth.json"))
        }
        KeyTool::Gemini => {
            let home = env.get("GEMINI_CLI_HOME").map_or_else(|| roots.home.clone(), PathBuf::from);
            place.gemini(&home)
        }
        KeyTool::Llm => {
            let dir = env.get("LLM_USER_PATH").map_or_else(|| llm_dir(roots), PathBuf::from);
            place.llm(&dir.join("keys.json"))
        }
        KeyTool::Aider => place.dotenv(&roots.home.join(".env"), DotenvDialect::Python),
    }
}

fn llm_dir(roots: &Roots) -> PathBuf {
    let config = match roots.platform {
        Platform::Linux => ".config",
        Platform::Macos => "Library/Application Support",
        Platform::Windows => "AppData/Roaming",
    };
    roots.home.join(config).join("io.datasette.llm")
}

struct Place<'a> {
    key: &'a ToolKey,
    roots: &'a Roots,
}

impl Place<'_> {
    fn codex(&self, path: &Path) -> Result<Secret, SecretError> {
        let file = self.json(path)?;
        if self.key.entry == "OPENAI_API_KEY"
            && let Some(secret) = file.get("OPENAI_API_KEY").and_then(Value::as_str).and_then(usable)
        {
            return Ok(secret);
        }
        Err(if file.get("tokens").is_some_and(|tokens| !tokens.is_null()) {
            self.subscription(path)
        } else {
            self.no_entry(path)
        })
    }

    fn opencode(&self, path: &Path) -> Result<Secret, SecretError> {
        let file = self.json(path)?;
        let Some(entry) = file.get(&self.key.entry) else { return Err(self.no_entry(path)) };
        match entry.get("type").and_then(Value::as_str) {
            Some("api") => entry.get("key").and_then(Value::as_str).and_then(usable).ok_or_else(|| self.no_entry(path)),
            Some("oauth") => Err(self.subscription(path)),
            _ => Err(self.no_entry(path)),
        }
    }

    fn gemini(&self, home: &Path) -> Result<Secret, SecretError> {
        // The tool takes the first of the two files that exists, even if the key is not in it.
        let own = home.join(".gemini/.env");
        let path = if self.real(&own).exists() { own } else { home.join(".env") };
        self.dotenv(&path, DotenvDialect::Node).map_err(|error| {
            let login = home.join(".gemini/oauth_creds.json");
            if self.real(&login).exists() { self.subscription(&login) } else { error }
        })
    }

    fn llm(&self, path: &Path) -> Result<Secret, SecretError> {
        let file = self.json(path)?;
        file.get(&self.key.entry).and_then(Value::as_str).and_then(usable).ok_or_else(|| self.no_entry(path))
    }

    fn dotenv(&self, path: &Path, dialect: DotenvDialect) -> Result<Secret, SecretError> {
        let text = self.text(path)?;
        let document = Document::parse(text.as_bytes(), Language::Dotenv(dialect));
        let document = document.map_err(|_| self.unreadable(path, "too large"))?;
        document.text(&[&self.key.entry]).and_then(usable).ok_or_else(|| self.no_entry(path))
    }

    fn json(&self, path: &Path) -> Result<Value, SecretError> {
        let text = self.text(path)?;
        // The parser's own words can quote the file, so they are left out.
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|_| self.unreadable(path, "not valid JSON"))
    }

    fn text(&self, path: &Path) -> Result<String, SecretError> {
        let mut text = String::new();
        std::fs::File::open(self.real(path))
            .and_then(|file| file.take(FILE_LIMIT).read_to_string(&mut text))
            .map_err(|error| self.unreadable(path, &error.kind().to_string()))?;
        Ok(text)
    }

    /// Where a path lies when `/` is mapped elsewhere.
    fn real(&self, path: &Path) -> PathBuf {
        match &self.roots.root {
            Some(root) => root.join(path.strip_prefix("/").unwrap_or(path)),
            None => path.to_path_buf(),
        }
    }

    fn unreadable(&self, path: &Path, reason: &str) -> SecretError {
        SecretError::ToolFile { tool: self.key.tool.name(), path: path.to_path_buf(), reason: reason.to_owned() }
    }

    fn no_entry(&self, path: &Path) -> SecretError {
        SecretError::ToolEntry { tool: self.key.tool.name(), entry: self.key.entry.clone(), path: path.to_path_buf() }
    }

    fn subscription(&self, path: &Path) -> SecretError {
        SecretError::Subscription { tool: self.key.tool.name(), path: path.to_path_buf() }
    }
}

fn usable(text: &str) -> Option<Secret> {
    Some(Secret::new(text)).filter(|secret| !secret.is_empty())
}
