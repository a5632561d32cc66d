//! What a log or a page says of one request, and nothing more.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::core::limits::{Span, Window};
use crate::core::outcome::Kind;

/// Whose log or page it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tool {
    /// Codex: rollouts and the output of `codex exec --json`.
    Codex,
    /// Claude Code: transcripts and the output of `claude -p`.
    ClaudeCode,
    /// opencode: messages, its log and the output of `opencode run`.
    Opencode,
    /// Gemini CLI: chats and the output of `gemini -p`.
    GeminiCli,
    /// Cline and its forks: `ui_messages.json`.
    Cline,
    /// aider: the analytics log.
    Aider,
    /// A provider's public status page, of any make.
    StatusPage,
    /// OpenRouter's public endpoint statistics.
    OpenRouter,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Self; 8] = [
        Self::Codex,
        Self::ClaudeCode,
        Self::Opencode,
        Self::GeminiCli,
        Self::Cline,
        Self::Aider,
        Self::StatusPage,
        Self::OpenRouter,
    ];

    /// The name in settings, JSON and target ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::ClaudeCode => "claude-code",
            Self::Opencode => "opencode",
            Self::GeminiCli => "gemini-cli",
            Self::Cline => "cline",
            Self::Aider => "aider",
            Self::StatusPage => "statuspage",
            Self::OpenRouter => "openrouter",
        }
    }

    /// Reads a tool's name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Whether it speaks of others' requests: shown as context, never stored as the user's own evidence.
    pub const fn is_context(self) -> bool {
        matches!(self, Self::StatusPage | Self::OpenRouter)
    }
}

/// A model's, provider's or component's name: at most [`Name::LONGEST`] characters, none of them a control character.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// Characters kept of a name.
    pub const LONGEST: usize = 200;

    /// A name from a file; `None` when nothing is left of it.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_plain = text.len() <= Self::LONGEST && !text.contains(char::is_control);
        let name: Arc<str> = if is_plain {
            text.into()
        } else {
            let kept: String = text.chars().filter(|c| !c.is_control()).take(Self::LONGEST).collect();
            kept.trim().into()
        };
        (!name.is_empty()).then_some(Self(name))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One part of a status page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// As the page calls it.
    pub name: Name,
    /// The page's own word for its state.
    pub status: Name,
}

/// One request as a tool's log shows it, or one component of a page. Has no place for content.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// When it was written down: when the answer or the refusal came. `None` when the source has no time.
    pub ts: Option<Timestamp>,
    /// Whose evidence it is.
    pub tool: Tool,
    /// The model that was asked for, if the log tells.
    pub model: Option<Name>,
    /// The provider as the tool calls it, if the log tells.
    pub provider: Option<Name>,
    /// What happened.
    pub kind: Kind,
    /// Milliseconds to the first output, or the nearest to it that the log has.
    pub latency_ms: Option<u32>,
    /// The part of a status page.
    pub component: Option<Component>,
    /// The HTTP status, where the log has it.
    pub http_status: Option<u16>,
    /// When a limit ends, where the log says so.
    pub resets_at: Option<Timestamp>,
    /// The id of the rule that fired.
    pub rule: &'static str,
}

impl Observation {
    /// A bare observation; the rest is filled in by who knows more.
    pub const fn new(tool: Tool, ts: Option<Timestamp>, kind: Kind, rule: &'static str) -> Self {
        Self {
            ts,
            tool,
            model: None,
            provider: None,
            kind,
            latency_ms: None,
            component: None,
            http_status: None,
            resets_at: None,
            rule,
        }
    }

    /// One line of `vacancy listen --json`: `ts` and `model` may be null, all else is absent when not known.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("ts".into(), self.ts.map_or(Value::Null, |ts| json!(format!("{ts:.3}"))));
        object.insert("tool".into(), json!(self.tool.name()));
        object.insert("model".into(), self.model.as_ref().map_or(Value::Null, |model| json!(model.as_str())));
        if let Some(provider) = &self.provider {
            object.insert("provider".into(), json!(provider.as_str()));
        }
        if let Some(component) = &self.component {
            object.insert("component".into(), json!(component.name.as_str()));
            object.insert("status".into(), json!(component.status.as_str()));
        }
        object.insert("kind".into(), json!(self.kind.name()));
        if let Some(latency) = self.latency_ms {
            object.insert("latency_ms".into(), json!(latency));
        }
        Value::Object(object)
    }
}

/// How much of a subscription's window is used, as the newest log line says.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// When it was written down.
    pub ts: Option<Timestamp>,
    /// Whose window it is.
    pub tool: Tool,
    /// The tool's name for the group of windows, such as `codex`.
    pub id: Option<Name>,
    /// The window's length in minutes.
    pub window_minutes: Option<u32>,
    /// Share that is used, 0 to 100 and above.
    pub used_percent: f32,
    /// When the window starts anew.
    pub resets_at: Option<Timestamp>,
}

impl Limit {
    /// Keeps the newest reading of each window.
    pub fn merge(known: &mut Vec<Self>, new: &[Self]) {
        for limit in new {
            let same = |other: &&mut Self| {
                (other.tool, &other.id, other.window_minutes) == (limit.tool, &limit.id, limit.window_minutes)
            };
            match known.iter_mut().find(same) {
                Some(other) if other.ts <= limit.ts => *other = limit.clone(),
                Some(_) => {}
                None => known.push(limit.clone()),
            }
        }
    }

    /// The window without its owner; `None` where the log has no time to measure from.
    pub fn window(&self) -> Option<Window> {
        let span = self.window_minutes.map_or(Span::Plan, Span::Minutes);
        Some(Window { span, used_percent: self.used_percent, resets_at: self.resets_at, told_at: self.ts? })
    }
}
