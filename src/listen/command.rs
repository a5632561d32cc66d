//! What tools print when one short question is asked of them: `codex exec --json`, `claude -p`, `gemini -p`,
//! `opencode run --format json`. None of these lines has a time; the exit code is not trusted.

use serde::Deserialize;

use super::claude::judge_result;
use super::codex_rules::judge_text;
use super::gemini::{api_error, model_in};
use super::lenient::{FromText, Object, Scalar, object};
use super::lines::{LONGEST_LINE, LineReader};
use super::observation::{Name, Observation, Tool};
use super::opencode::Failure;
use super::rules::{judge_general, status_in};
use crate::core::outcome::Kind;

/// A line of any of them; content is not among the fields.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
    #[serde(borrow, default)]
    subtype: Scalar<'a>,
    #[serde(borrow, default)]
    status: Scalar<'a>,
    #[serde(borrow, default)]
    message: Scalar<'a>,
    #[serde(borrow, default)]
    item: Object<Item<'a>>,
    #[serde(borrow, default)]
    model: Scalar<'a>,
    #[serde(borrow, default)]
    is_error: Scalar<'a>,
    #[serde(borrow, default)]
    api_error_status: Scalar<'a>,
    #[serde(borrow, default)]
    api_error_type: Scalar<'a>,
    #[serde(borrow, default)]
    error_status: Scalar<'a>,
    #[serde(borrow, default)]
    ttft_ms: Scalar<'a>,
    #[serde(borrow, default, rename = "modelUsage")]
    model_usage: Object<FirstKey<'a>>,
    #[serde(borrow, default)]
    error: Object<ErrorField<'a>>,
}

#[derive(Default, Deserialize)]
struct Item<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
}

/// A word, or an object with a message (Codex, Gemini) or a name and data (opencode).
#[derive(Default, Deserialize)]
struct ErrorField<'a> {
    #[serde(borrow, default, skip)]
    word: Scalar<'a>,
    #[serde(borrow, default)]
    message: Scalar<'a>,
}

/// The text of a failed `claude -p`; read only when the result is known to be one.
#[derive(Deserialize)]
struct Failed<'a> {
    #[serde(borrow, default)]
    result: Scalar<'a>,
}

#[derive(Deserialize)]
struct OpencodeLine<'a> {
    #[serde(borrow, default)]
    error: Object<Failure<'a>>,
}

/// The first name in an object, whatever it stands for.
#[derive(Default)]
struct FirstKey<'a>(Scalar<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for FirstKey<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = FirstKey<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut first = Scalar::Absent;
                while let Some((key, _)) = map.next_entry::<Scalar<'de>, serde::de::IgnoredAny>()? {
                    if first.is_absent() {
                        first = key;
                    }
                }
                Ok(FirstKey(first))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl<'a> FromText<'a> for ErrorField<'a> {
    fn from_text(text: std::borrow::Cow<'a, str>) -> Option<Self> {
        Some(Self { word: Scalar::Text(text), ..Self::default() })
    }
}

impl FromText<'_> for Item<'_> {}
impl FromText<'_> for FirstKey<'_> {}

/// Reads the output of one run.
#[derive(Debug)]
pub(super) struct Output {
    tool: Tool,
    model: Option<Name>,
    /// The end of the run was seen.
    is_told: bool,
    has_answer: bool,
    /// A refusal that the end may still confirm.
    last: Option<Observation>,
    /// The lines so far of an object that is printed over several.
    open: Vec<u8>,
    /// How many of its brackets are open.
    depth: usize,
}

impl Output {
    pub const fn new(tool: Tool) -> Self {
        Self { tool, model: None, is_told: false, has_answer: false, last: None, open: Vec::new(), depth: 0 }
    }

    fn object(&mut self, text: &[u8], out: &mut Vec<Observation>) {
        let Some(read) = object::<Line<'_>>(text) else { return };
        match self.tool {
            Tool::Codex => self.codex(&read, out),
            Tool::ClaudeCode => self.claude(&read, text, out),
            Tool::GeminiCli => self.gemini(&read, out),
            _ => self.opencode(&read, text, out),
        }
    }

    fn observe(&self, kind: Kind, rule: &'static str, status: Option<u16>) -> Observation {
        let mut observation = Observation::new(self.tool, None, kind, rule);
        observation.model.clone_from(&self.model);
        observation.http_status = status;
        observation
    }

    fn codex(&mut self, line: &Line<'_>, out: &mut Vec<Observation>) {
        let judged = |text: &str| judge_text(text).map(|(kind, rule, status)| self.observe(kind, rule, status));
        match line.kind.text() {
            "item.completed" => {
                self.has_answer |= line.item.get().is_some_and(|item| item.kind.text() == "agent_message");
            }
            "turn.completed" => self.has_answer = true,
            "turn.failed" => {
                let text = line.error.get().map_or("", |error| error.message.text());
                out.extend(judged(text));
                self.is_told = true;
            }
            "error" => {
                let text = line.message.text();
                // A retry is no end; what it waits for says more than that it retries.
                let text = match text.strip_prefix("Reconnecting") {
                    Some(rest) if self.last.is_some() && !rest.contains("waiting for network") => return,
                    Some(rest) => rest.split_once('(').map_or(rest, |(_, reason)| reason),
                    None => text,
                };
                self.last = judged(text);
            }
            _ => {}
        }
    }

    fn claude(&mut self, line: &Line<'_>, whole: &[u8], out: &mut Vec<Observation>) {
        match (line.kind.text(), line.subtype.text()) {
            ("system", "init") => self.model = line.model.name(),
            ("system", "api_retry") => {
                let status = line.error_status.status();
                let word = line.error.get().map_or("", |error| error.word.text());
                let judged = judge_result(status, [word, ""], "");
                out.extend(judged.map(|(kind, rule)| self.observe(kind, rule, status)));
                // Killed at the deadline, there is no result: the retries tell.
                self.is_told = true;
            }
            ("result", _) => {
                self.is_told = true;
                let used = line.model_usage.get().and_then(|usage| usage.0.name());
                self.model = self.model.take().or(used);
                // 2.0.76 calls a run that ended without an answer no error.
                if !line.is_error.is_true() && line.subtype.text() == "error_during_execution" {
                    out.push(self.observe(Kind::Unrecognized, "claude-execution", None));
                    return;
                }
                if !line.is_error.is_true() {
                    let mut answer = self.observe(Kind::Available, "claude-result", None);
                    answer.latency_ms = line.ttft_ms.millis();
                    out.push(answer);
                    return;
                }
                let failed = object::<Failed<'_>>(whole);
                let text = failed.as_ref().map_or("", |failed| failed.result.text());
                let status = line.api_error_status.status();
                let judged = judge_result(status, [line.api_error_type.text(), ""], text);
                out.extend(judged.map(|(kind, rule)| self.observe(kind, rule, status)));
            }
            _ => {}
        }
    }

    fn gemini(&mut self, line: &Line<'_>, out: &mut Vec<Observation>) {
        match line.kind.text() {
            "init" => self.model = line.model.name(),
            "result" => {
                self.is_told = true;
                if line.status.text() == "success" {
                    out.push(self.observe(Kind::Available, "gemini-result", None));
                    return;
                }
                let text = line.error.get().map_or("", |error| error.message.text());
                let text = api_error(text).unwrap_or(text);
                let status = status_in(text);
                if let Some((kind, rule)) = judge_general(status, "", [text, ""]) {
                    let mut observation = self.observe(kind, rule, status);
                    observation.model = observation.model.or_else(|| model_in(text));
                    out.push(observation);
                }
            }
            _ => {}
        }
    }

    fn opencode(&mut self, line: &Line<'_>, whole: &[u8], out: &mut Vec<Observation>) {
        match line.kind.text() {
            "text" | "step_finish" => self.has_answer = true,
            "error" => {
                self.is_told = true;
                let error = object::<OpencodeLine<'_>>(whole).and_then(|line| line.error.0);
                let judged = error.and_then(|error| error.judge());
                out.extend(judged.map(|(kind, rule, status)| self.observe(kind, rule, status)));
            }
            _ => {}
        }
    }
}

/// How many brackets are open behind a line of JSON, when so many were before it. No text of JSON goes over a line's end.
fn depth(line: &[u8], before: usize) -> usize {
    let (mut depth, mut is_text, mut is_escaped) = (before, false, false);
    for byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => depth += 1,
            b'}' | b']' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth
}

impl LineReader for Output {
    fn wants(&self, _: &[u8]) -> bool {
        true
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<Observation>) {
        let bare = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
        if self.open.is_empty() && bare != b"{" {
            return self.object(line, out);
        }
        // Printed for people: from a bracket that stands alone to the one that closes it.
        self.open.extend_from_slice(line);
        self.depth = depth(line, self.depth);
        if self.depth == 0 {
            let whole = std::mem::take(&mut self.open);
            self.object(&whole, out);
        } else if self.open.len() > LONGEST_LINE {
            self.open = Vec::new();
            self.depth = 0;
        }
    }

    fn settle(&mut self, out: &mut Vec<Observation>) {
        if !std::mem::replace(&mut self.is_told, true) {
            if self.has_answer {
                out.push(self.observe(Kind::Available, "tool-answer", None));
            } else {
                out.extend(self.last.take());
            }
        }
    }
}
