//! What one JSON value of an answer says, over all wire APIs: relays mix them, so the shape counts, not the dialect.

use crate::core::reply::failure::is_error;
use crate::core::reply::scan::{At, Value};

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// As the model wished, or for a tool call.
    Stop,
    /// The output budget was used up: the model ran.
    Length,
    /// A policy stopped it.
    Filtered,
    /// The upstream failed, told only by the finish reason.
    Failed,
}

/// What one JSON value says.
#[derive(Debug, Default)]
pub(super) struct Shape {
    pub(super) has_error: bool,
    pub(super) has_output: bool,
    /// Reasoning, a tool call, an image: something that no refusal sentence has.
    pub(super) has_more_than_text: bool,
    pub(super) finish: Option<Finish>,
    /// A mark that nothing useful follows.
    pub(super) is_last: bool,
    /// A count of tokens above zero.
    pub(super) has_usage: bool,
    /// It has a shape that only answers have.
    pub(super) is_answer: bool,
}

/// Reads one value. `event` is the event's name in an event stream, else empty; `text` receives the answer's text.
pub(super) fn read(event: &str, root: At<'_, '_>, text: &mut Text) -> Shape {
    let mut shape = Shape::default();
    if !root.is_object() {
        return shape;
    }
    let kind = root.get("type").and_then(At::raw_text).unwrap_or(event);
    let mut reader = Reader { shape: &mut shape, text };
    reader.event(kind, root);
    // The named events of the Responses API repeat at their end what their pieces have said.
    if !kind.starts_with("response.") {
        root.children().for_each(|part| reader.part(part));
    }
    for inner in ["response", "result", "Response", "payload"] {
        if let Some(inner) = root.get(inner).filter(|inner| inner.is_object()) {
            inner.children().for_each(|part| reader.part(part));
        }
    }
    shape.has_error = is_error(kind, event, root, shape.is_answer);
    shape
}

/// The beginning of an answer's text, kept only to compare the whole of a short one with the known refusal sentences.
#[derive(Debug, Default)]
pub(super) struct Text {
    deltas: String,
    whole: String,
}

/// Longer texts are no refusal sentence; the rest of them is not kept.
const TEXT_LIMIT: usize = 512;

impl Text {
    fn push(&mut self, delta: &str) {
        append(&mut self.deltas, delta);
    }

    fn set(&mut self, whole: &str) {
        append(&mut self.whole, whole);
    }

    /// The text, if it is short.
    pub(super) fn into_short(self) -> Option<String> {
        let text = if self.deltas.is_empty() { self.whole } else { self.deltas };
        (text.len() < TEXT_LIMIT).then_some(text)
    }
}

fn append(text: &mut String, more: &str) {
    let room = TEXT_LIMIT.saturating_sub(text.len());
    if room == 0 {
        return;
    }
    if more.len() <= room {
        text.push_str(more);
    } else {
        // Filling up to the limit marks it as too long, wherever the cut falls.
        text.extend(std::iter::repeat_n(' ', room));
    }
}

struct Reader<'s> {
    shape: &'s mut Shape,
    text: &'s mut Text,
}

impl Reader<'_> {
    /// Reads the named events of the Responses and Messages APIs.
    fn event(&mut self, kind: &str, root: At<'_, '_>) {
        let Some(rest) = kind.strip_prefix("response.") else {
            match kind {
                "message_stop" => self.end(None),
                "content_block_start" => {
                    if let Some(block) = root.get("content_block") {
                        self.block(block);
                    }
                    self.shape.is_answer = true;
                }
                "message_start" | "content_block_delta" | "message_delta" | "ping" => self.shape.is_answer = true,
                _ => {}
            }
            return;
        };
        self.shape.is_answer = true;
        match rest {
            "completed" | "done" => self.end(Some(Finish::Stop)),
            "incomplete" => self.end(None),
            "output_text.delta" => {
                if let Some(Value::Text(raw)) = root.get("delta").map(At::value) {
                    self.words(&raw.decode());
                }
            }
            "output_item.added" | "output_item.done" => {
                let kind = root.path(&["item", "type"]).and_then(At::raw_text).unwrap_or("");
                if kind == "reasoning" || kind.ends_with("_call") {
                    self.more();
                }
            }
            _ if rest.ends_with(".delta") && root.get("delta").is_some_and(At::is_filled_text) => self.more(),
            _ => {}
        }
    }

    fn end(&mut self, finish: Option<Finish>) {
        self.shape.is_last = true;
        if self.shape.finish.is_none() {
            self.shape.finish = finish;
        }
    }

    fn words(&mut self, words: &str) {
        if !words.is_empty() {
            self.text.push(words);
            self.shape.has_output = true;
        }
    }

    fn more(&mut self) {
        self.shape.has_output = true;
        self.shape.has_more_than_text = true;
    }

    /// Reads a member of the top level, or of the object that wraps it.
    fn part(&mut self, part: At<'_, '_>) {
        match part.key() {
            "choices" | "candidates" | "Choices" | "generations" => {
                self.shape.is_answer |= matches!(part.value(), Value::Array | Value::Object);
                if let Some(text) = part.get("text") {
                    // iFlytek: an object with a list of messages.
                    text.children().for_each(|message| self.message(message));
                } else {
                    part.children().for_each(|choice| self.choice(choice));
                }
            }
            "message" | "Message" | "delta" | "Delta" if part.is_object() => {
                self.shape.is_answer = true;
                self.message(part);
            }
            "content" if matches!(part.value(), Value::Array | Value::Text(_)) => {
                self.shape.is_answer = true;
                self.content(part);
            }
            "output" | "outputs" => self.output(part),
            "results" if part.value() == Value::Array => {
                for result in part.children() {
                    result.children().for_each(|inner| self.part(inner));
                }
            }
            "response" | "result" | "completion" | "generated_text" | "output_text" | "reply" | "generation"
            | "text" | "outputText" => {
                if let Value::Text(raw) = part.value() {
                    self.shape.is_answer = true;
                    self.words(&raw.decode());
                }
            }
            "contentBlockDelta" | "contentBlockStart" => {
                self.shape.is_answer = true;
                for inner in ["delta", "start"] {
                    if let Some(inner) = part.get(inner) {
                        self.message(inner);
                    }
                }
            }
            "done" if part.value() == Value::Bool(true) => {
                self.shape.is_answer = true;
                self.end(None);
            }
            "finish_reason" | "finishReason" | "stop_reason" | "stopReason" | "done_reason" | "FinishReason" => {
                self.finish(part);
            }
            "incomplete_details" => {
                if let Some(reason) = part.get("reason") {
                    self.finish(reason);
                }
            }
            "status" => match part.raw_text() {
                Some("completed") => self.end(Some(Finish::Stop)),
                Some("incomplete") => self.end(None),
                _ => {}
            },
            "usage" | "usageMetadata" | "Usage" | "meta" => self.usage(part),
            "eval_count" => self.shape.has_usage |= part.number().is_some_and(|count| count > 0.0),
            "promptFeedback" if part.get("blockReason").is_some_and(At::is_filled_text) => {
                self.shape.is_answer = true;
                self.shape.finish = Some(Finish::Filtered);
            }
            _ => {}
        }
    }

    fn choice(&mut self, choice: At<'_, '_>) {
        for part in choice.children() {
            match part.key() {
                "delta" | "message" | "content" | "Delta" | "Message" if part.is_object() => self.message(part),
                "text" | "token" | "generated_text" => {
                    if let Value::Text(raw) = part.value() {
                        self.words(&raw.decode());
                    }
                }
                "finish_reason" | "finishReason" | "FinishReason" | "stop_reason" => self.finish(part),
                // Only a failure counts here; the provider's own words for a normal end are many.
                "native_finish_reason" if part.raw_text().is_some_and(is_failure) => {
                    self.shape.finish = Some(Finish::Failed);
                }
                _ => {}
            }
        }
    }

    /// Reads a message, or a piece of one.
    fn message(&mut self, message: At<'_, '_>) {
        for part in message.children() {
            match part.key() {
                "content" | "Content" | "text" | "refusal" | "parts" => self.content(part),
                "stop_reason" => self.finish(part),
                "message" if part.is_object() => self.message(part),
                "reasoning_content" | "reasoning" | "ReasoningContent" | "thinking" | "partial_json" | "signature"
                | "reasoningContent" | "thought"
                    if part.is_filled_text() || (part.is_object() && part.has_children()) =>
                {
                    self.more();
                }
                "tool_calls" | "ToolCalls" | "reasoning_details" | "images"
                    if part.value() == Value::Array && part.has_children() =>
                {
                    self.more();
                }
                "function_call" | "audio" | "toolUse" | "tool_call" if part.is_object() && part.has_children() => {
                    self.more();
                }
                "usage" => self.usage(part),
                _ => {}
            }
        }
    }

    /// Reads text, or a list of blocks.
    fn content(&mut self, content: At<'_, '_>) {
        match content.value() {
            Value::Text(raw) => self.words(&raw.decode()),
            Value::Array => content.children().for_each(|block| self.block(block)),
            Value::Object => self.message(content),
            _ => {}
        }
    }

    /// Reads one block of a message: Anthropic, Gemini, Bedrock, Responses, Mistral.
    fn block(&mut self, block: At<'_, '_>) {
        let kind = block.get("type").and_then(At::raw_text).unwrap_or("");
        let is_thought = matches!(block.get("thought").map(At::value), Some(Value::Bool(true)));
        match block.value() {
            Value::Text(raw) => return self.words(&raw.decode()),
            Value::Object => {}
            _ => return,
        }
        if kind.ends_with("tool_use") || kind == "redacted_thinking" || kind.ends_with("_call") {
            return self.more();
        }
        for part in block.children() {
            match part.key() {
                "text" | "refusal" | "output_text" => {
                    if let Value::Text(raw) = part.value() {
                        if !is_thought {
                            self.words(&raw.decode());
                        } else if !raw.is_empty() {
                            self.more();
                        }
                    }
                }
                "thinking"
                | "functionCall"
                | "inlineData"
                | "executableCode"
                | "codeExecutionResult"
                | "toolUse"
                | "reasoningContent"
                | "image"
                    if part.is_filled_text() || part.has_children() =>
                {
                    self.more();
                }
                _ => {}
            }
        }
    }

    /// Reads `output`: the items of the Responses API, or the object of Bedrock and DashScope.
    fn output(&mut self, output: At<'_, '_>) {
        match output.value() {
            Value::Array => {
                self.shape.is_answer = true;
                for item in output.children() {
                    if let Value::Text(raw) = item.value() {
                        self.words(&raw.decode());
                        continue;
                    }
                    let kind = item.get("type").and_then(At::raw_text).unwrap_or("");
                    if kind == "reasoning" || kind.ends_with("_call") {
                        self.more();
                        continue;
                    }
                    for block in item.get("content").into_iter().flat_map(At::children) {
                        if let Some(Value::Text(raw)) = block.get("text").map(At::value) {
                            if !raw.is_empty() {
                                self.text.set(&raw.decode());
                                self.shape.has_output = true;
                            }
                        } else if block.get("refusal").is_some_and(At::is_filled_text) {
                            self.more();
                        }
                    }
                }
            }
            Value::Object => {
                for part in output.children() {
                    match part.key() {
                        "text" => self.content(part),
                        _ => self.part(part),
                    }
                }
            }
            Value::Text(raw) => {
                self.shape.is_answer = true;
                self.words(&raw.decode());
            }
            _ => {}
        }
    }

    fn finish(&mut self, reason: At<'_, '_>) {
        let Some(reason) = reason.raw_text().filter(|reason| !reason.is_empty()) else {
            return;
        };
        let fold = |word: &str| reason.eq_ignore_ascii_case(word);
        let finish = if ["length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"]
            .into_iter()
            .any(fold)
        {
            Finish::Length
        } else if FILTERS.iter().copied().any(fold) {
            Finish::Filtered
        } else if is_failure(reason) {
            Finish::Failed
        } else if fold("null") || fold("FINISH_REASON_UNSPECIFIED") || fold("load") {
            // Tencent and DashScope say "null" while going on; Ollama "load" when it has only loaded the model.
            return;
        } else {
            Finish::Stop
        };
        // The provider's own failure beats the benign reason beside it.
        if self.shape.finish != Some(Finish::Failed) {
            self.shape.finish = Some(finish);
        }
    }

    fn usage(&mut self, usage: At<'_, '_>) {
        self.shape.has_usage |= usage.children().any(|count| {
            count.number().is_some_and(|number| number > 0.0)
                || count.children().any(|inner| inner.number().is_some_and(|number| number > 0.0))
        });
    }
}

/// Finish reasons that name a policy.
const FILTERS: [&str; 13] = [
    "content_filter",
    "content_filtered",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
    "image_safety",
    "sensitive",
    "refusal",
    "guardrail_intervened",
    "error_toxic",
    "model_armor",
];

/// Finish reasons that name a fault of the upstream.
fn is_failure(reason: &str) -> bool {
    const FAULTS: [&str; 10] = [
        "error",
        "network_error",
        "upstream_error",
        "engine_error",
        "abort",
        "aborted",
        "failed",
        "server_error",
        "malformed_function_call_error",
        "internal_error",
    ];
    FAULTS.iter().any(|fault| reason.eq_ignore_ascii_case(fault))
}
