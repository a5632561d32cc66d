//! Which of the known forms a file has, by its content, and the reader for it.

use serde::Deserialize;

use super::claude::{Seen, Transcript};
use super::lenient::{FromText, List, Object, Presence, Scalar, object};
use super::lines::LineReader;
use super::observation::{Limit, Observation, Tool};
use super::{aider, cline, codex, command, gemini, opencode, openrouter, pages};

/// A form that a file can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A Codex rollout.
    CodexRollout,
    /// A Claude Code transcript.
    ClaudeTranscript,
    /// A Gemini CLI chat, a line a row.
    GeminiChat,
    /// opencode's log.
    OpencodeLog,
    /// aider's analytics.
    AiderAnalytics,
    /// What a tool printed that was asked one question.
    Output(Tool),
    /// A Gemini CLI chat that is one document.
    GeminiSession,
    /// One message of opencode.
    OpencodeMessage,
    /// Cline's list of messages.
    ClineMessages,
    /// Statuspage's summary.
    StatusSummary,
    /// incident.io's widget.
    StatusWidget,
    /// Google Cloud's incidents.
    StatusGoogle,
    /// Better Stack's index.
    StatusBetterStack,
    /// A feed.
    StatusFeed,
    /// OpenRouter's endpoints.
    OpenRouterEndpoints,
}

/// The names that tell forms apart; no value of them is kept.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Marks<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
    #[serde(borrow, default)]
    role: Scalar<'a>,
    #[serde(default)]
    payload: Presence,
    #[serde(default)]
    timestamp: Presence,
    #[serde(default)]
    instructions: Presence,
    #[serde(default)]
    session_id: Presence,
    #[serde(default, rename = "session_id")]
    session_id_snake: Presence,
    #[serde(default, rename = "sessionID")]
    opencode_session: Presence,
    #[serde(default)]
    parent_uuid: Presence,
    #[serde(default)]
    leaf_uuid: Presence,
    #[serde(default)]
    uuid: Presence,
    #[serde(default)]
    messages: Presence,
    #[serde(default)]
    project_hash: Presence,
    #[serde(default)]
    event: Presence,
    #[serde(default)]
    properties: Presence,
    #[serde(default, rename = "modelID")]
    model_id: Presence,
    #[serde(default)]
    page: Presence,
    #[serde(default)]
    components: Presence,
    #[serde(default, rename = "ongoing_incidents")]
    incidents: Presence,
    #[serde(default, rename = "terminal_reason")]
    terminal_reason: Presence,
    #[serde(default, rename = "duration_api_ms")]
    duration_api_ms: Presence,
    #[serde(borrow, default)]
    data: Object<Data<'a>>,
}

#[derive(Default, Deserialize)]
struct Data<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
    #[serde(default)]
    endpoints: Presence,
}

/// Names in a list's first elements.
#[derive(Default, Deserialize)]
struct ListMarks {
    #[serde(default)]
    say: Presence,
    #[serde(default)]
    ask: Presence,
    #[serde(default)]
    affected_products: Presence,
}

impl FromText<'_> for Data<'_> {}
impl FromText<'_> for ListMarks {}

/// Lines that are looked at to tell a form; the first ones may be torn or of an unknown type.
const TELLING_LINES: usize = 20;

impl Form {
    /// Bytes from the beginning of a file that are enough to tell.
    pub const HEAD: usize = 256 << 10;

    /// Tells the form of a file by its beginning; with `tool` only that tool's forms are thought of, and where the content
    /// does not tell it is taken for the usual one.
    pub fn detect(head: &[u8], tool: Option<Tool>) -> Option<Self> {
        Self::told(head, tool).or_else(|| Self::usual(tool?))
    }

    /// The form that the content itself tells.
    pub fn told(head: &[u8], tool: Option<Tool>) -> Option<Self> {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
        let by_lines = lines.take(TELLING_LINES).find_map(Self::of_line);
        let found = by_lines.or_else(|| Self::of_document(head.trim_ascii()));
        found.filter(|form| tool.is_none_or(|tool| form.tool() == tool))
    }

    /// What a file of a tool is taken for when its content does not tell: one that begins in the middle, or is empty.
    const fn usual(tool: Tool) -> Option<Self> {
        match tool {
            Tool::Codex => Some(Self::CodexRollout),
            Tool::ClaudeCode => Some(Self::ClaudeTranscript),
            Tool::GeminiCli => Some(Self::GeminiChat),
            Tool::Opencode => Some(Self::OpencodeLog),
            Tool::Aider => Some(Self::AiderAnalytics),
            Tool::Cline => Some(Self::ClineMessages),
            Tool::StatusPage => Some(Self::StatusSummary),
            Tool::OpenRouter => Some(Self::OpenRouterEndpoints),
        }
    }

    fn of_line(line: &[u8]) -> Option<Self> {
        if line.first() != Some(&b'{') {
            let is_log =
                memchr::memmem::find(line, b"level=").is_some() && memchr::memmem::find(line, b"timestamp=").is_some();
            return is_log.then_some(Self::OpencodeLog);
        }
        let marks = object::<Marks<'_>>(line)?;
        Self::of_marks(&marks).or_else(|| Self::of_rollout_prefix(line))
    }

    fn of_marks(marks: &Marks<'_>) -> Option<Self> {
        let kind = marks.kind.text();
        let is_session = marks.session_id.0 || marks.session_id_snake.0;
        Some(match kind {
            "thread.started" | "turn.started" | "turn.completed" | "turn.failed" | "item.completed" => {
                Self::Output(Tool::Codex)
            }
            "system" | "result" | "assistant" | "user" if marks.session_id_snake.0 => Self::Output(Tool::ClaudeCode),
            "result" if marks.terminal_reason.0 || marks.duration_api_ms.0 => Self::Output(Tool::ClaudeCode),
            "step_start" | "step_finish" | "text" | "error" if marks.opencode_session.0 => Self::Output(Tool::Opencode),
            "init" | "message" | "result" if marks.timestamp.0 && marks.session_id_snake.0 => {
                Self::Output(Tool::GeminiCli)
            }
            "assistant"
            | "user"
            | "system"
            | "attachment"
            | "summary"
            | "api-request"
            | "api-request-shape"
            | "file-history-snapshot"
            | "queue-operation"
            | "last-prompt"
            | "cost-state"
                if marks.session_id.0
                    || marks.uuid.0
                    || marks.parent_uuid.0
                    || marks.leaf_uuid.0
                    || kind.contains('-') =>
            {
                Self::ClaudeTranscript
            }
            "gemini" | "error" | "warning" | "info" | "user"
                if marks.timestamp.0 && !is_session && !marks.payload.0 =>
            {
                Self::GeminiChat
            }
            _ if marks.payload.0 && marks.timestamp.0 => Self::CodexRollout,
            _ if marks.timestamp.0 && marks.instructions.0 && kind.is_empty() => Self::CodexRollout,
            _ if marks.project_hash.0 && marks.messages.0 => Self::GeminiSession,
            _ if marks.project_hash.0 => Self::GeminiChat,
            _ if marks.event.0 && marks.properties.0 => Self::AiderAnalytics,
            _ if !marks.role.is_absent() && (marks.model_id.0 || marks.opencode_session.0) => Self::OpencodeMessage,
            _ if marks.data.get().is_some_and(|data| data.endpoints.0) => Self::OpenRouterEndpoints,
            _ if marks.data.get().is_some_and(|data| data.kind.text() == "status_page") => Self::StatusBetterStack,
            _ if marks.incidents.0 => Self::StatusWidget,
            _ if marks.components.0 || marks.page.0 => Self::StatusSummary,
            _ => return None,
        })
    }

    /// Codex's oldest rollouts, whose first line may have null in every field that tells.
    fn of_rollout_prefix(line: &[u8]) -> Option<Self> {
        const MARKS: [&[u8]; 2] = [b"{\"record_type\":", b"\"instructions\":"];
        MARKS.iter().any(|mark| memchr::memmem::find(line, mark).is_some()).then_some(Self::CodexRollout)
    }

    /// A document of several lines, perhaps cut off at the end of the head.
    fn of_document(head: &[u8]) -> Option<Self> {
        let has = |mark: &str| memchr::memmem::find(head, mark.as_bytes()).is_some();
        match head.first()? {
            b'{' => match object::<Marks<'_>>(head) {
                Some(marks) => Self::of_marks(&marks),
                // Cut off: names that stand early.
                None if has("\"page\"") && has("\"updated_at\"") => Some(Self::StatusSummary),
                None if has("\"endpoints\"") => Some(Self::OpenRouterEndpoints),
                None if has("\"projectHash\"") => Some(Self::GeminiSession),
                None if has("\"included\"") || has("\"status_page\"") => Some(Self::StatusBetterStack),
                None => None,
            },
            b'[' => {
                let list = serde_json::from_slice::<List<Object<ListMarks>>>(head).unwrap_or_default();
                let any = |test: fn(&ListMarks) -> bool| list.0.iter().filter_map(Object::get).any(test);
                if any(|marks| marks.say.0 || marks.ask.0) || has("\"say\"") {
                    Some(Self::ClineMessages)
                } else if any(|marks| marks.affected_products.0) || has("\"affected_products\"") {
                    Some(Self::StatusGoogle)
                } else {
                    None
                }
            }
            b'<' => (has("<rss") || has("<feed")).then_some(Self::StatusFeed),
            _ => None,
        }
    }

    /// Whose form it is.
    pub const fn tool(self) -> Tool {
        match self {
            Self::CodexRollout => Tool::Codex,
            Self::ClaudeTranscript => Tool::ClaudeCode,
            Self::GeminiChat | Self::GeminiSession => Tool::GeminiCli,
            Self::OpencodeLog | Self::OpencodeMessage => Tool::Opencode,
            Self::AiderAnalytics => Tool::Aider,
            Self::ClineMessages => Tool::Cline,
            Self::Output(tool) => tool,
            Self::StatusSummary
            | Self::StatusWidget
            | Self::StatusGoogle
            | Self::StatusBetterStack
            | Self::StatusFeed => Tool::StatusPage,
            Self::OpenRouterEndpoints => Tool::OpenRouter,
        }
    }

    /// Reads a file that is one document; one of lines has none ([`Reader`] reads it).
    pub fn document(self, document: &[u8]) -> Vec<Observation> {
        let document = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
        match self {
            Self::GeminiSession => gemini::session(document),
            Self::OpencodeMessage => opencode::message(document).into_iter().collect(),
            Self::ClineMessages => cline::messages(document),
            Self::StatusSummary => pages::summary(document),
            Self::StatusWidget => pages::incident_io(document),
            Self::StatusGoogle => pages::google(document),
            Self::StatusBetterStack => pages::better_stack(document),
            Self::StatusFeed => pages::feed(document),
            Self::OpenRouterEndpoints => openrouter::endpoints(document),
            Self::CodexRollout
            | Self::ClaudeTranscript
            | Self::GeminiChat
            | Self::OpencodeLog
            | Self::AiderAnalytics
            | Self::Output(_) => Vec::new(),
        }
    }
}

/// What is known of a file at a place where reading may go on later without the lines before: names and a count, no ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carry {
    /// The provider.
    pub provider: Option<super::Name>,
    /// The model.
    pub model: Option<super::Name>,
    /// Codex's sum of output tokens.
    pub out_total: Option<u64>,
}

/// Reads one file of lines.
#[derive(Debug)]
pub struct Reader(Inner);

#[derive(Debug)]
enum Inner {
    Codex(Box<codex::Rollout>),
    Claude(Box<Transcript>),
    Gemini(gemini::Chat),
    Opencode(opencode::Log),
    Aider(aider::Analytics),
    Output(Box<command::Output>),
}

impl Reader {
    /// A reader for a form of lines; `None` for a document. `seen` is shared by all files that are read together.
    pub fn new(form: Form, seen: &Seen) -> Option<Self> {
        Some(Self(match form {
            Form::CodexRollout => Inner::Codex(Box::new(codex::Rollout::new(seen.turns.clone()))),
            Form::ClaudeTranscript => Inner::Claude(Box::new(Transcript::new(seen.clone()))),
            Form::GeminiChat => Inner::Gemini(gemini::Chat::default()),
            Form::OpencodeLog => Inner::Opencode(opencode::Log::default()),
            Form::AiderAnalytics => Inner::Aider(aider::Analytics),
            Form::Output(tool) => Inner::Output(Box::new(command::Output::new(tool))),
            _ => return None,
        }))
    }

    /// How much of the subscription's windows is used, as far as the file tells.
    pub fn limits(&self) -> &[Limit] {
        match &self.0 {
            Inner::Codex(rollout) => rollout.limits(),
            _ => &[],
        }
    }

    /// What has to be known to go on later.
    pub fn carry(&self) -> Carry {
        match &self.0 {
            Inner::Codex(rollout) => rollout.carry().clone(),
            Inner::Claude(transcript) => Carry { model: transcript.model().cloned(), ..Carry::default() },
            _ => Carry::default(),
        }
    }

    /// What had to be known at the last place from which reading may go on.
    pub fn marked(&self) -> Carry {
        match &self.0 {
            Inner::Codex(rollout) => rollout.marked().clone(),
            _ => self.carry(),
        }
    }

    /// Goes on where another reader of this file stopped.
    pub fn resume(&mut self, carry: Carry) {
        match &mut self.0 {
            Inner::Codex(rollout) => rollout.resume(carry),
            Inner::Claude(transcript) => transcript.resume(carry.model),
            _ => {}
        }
    }

    fn inner(&mut self) -> &mut dyn LineReader {
        match &mut self.0 {
            Inner::Codex(reader) => &mut **reader,
            Inner::Claude(reader) => &mut **reader,
            Inner::Gemini(reader) => reader,
            Inner::Opencode(reader) => reader,
            Inner::Aider(reader) => reader,
            Inner::Output(reader) => &mut **reader,
        }
    }
}

impl LineReader for Reader {
    fn wants(&self, prefix: &[u8]) -> bool {
        match &self.0 {
            Inner::Codex(reader) => reader.wants(prefix),
            Inner::Claude(reader) => reader.wants(prefix),
            Inner::Gemini(reader) => reader.wants(prefix),
            Inner::Opencode(reader) => reader.wants(prefix),
            Inner::Aider(reader) => reader.wants(prefix),
            Inner::Output(reader) => reader.wants(prefix),
        }
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<Observation>) {
        self.inner().line(line, out);
    }

    fn settle(&mut self, out: &mut Vec<Observation>) {
        self.inner().settle(out);
    }

    fn mark(&mut self) {
        self.inner().mark();
    }

    fn is_between(&self) -> bool {
        match &self.0 {
            Inner::Codex(reader) => reader.is_between(),
            _ => true,
        }
    }
}
