//! What a model that works says, in each dialect.

use serde_json::{Value, json};

use crate::core::target::Dialect;
use crate::loopback::route::{Ask, Form};

/// What is said.
#[derive(Clone, Copy, Debug)]
pub(super) enum Output<'a> {
    /// Text, one piece an event.
    Text(&'a [&'a str]),
    /// Reasoning alone, up to the length stop.
    Reasoning,
    /// The length stop alone.
    Nothing,
}

impl Output<'_> {
    fn text(self) -> String {
        match self {
            Self::Text(pieces) => pieces.concat(),
            Self::Reasoning | Self::Nothing => String::new(),
        }
    }

    const fn is_finished(self) -> bool {
        matches!(self, Self::Text(_))
    }
}

const REASONING: &str = "The user greets me.";
const CREATED: u32 = 1_760_000_000;
const CREATED_TEXT: &str = "2026-01-01T00:00:00Z";

/// The pieces of an answer: what precedes the first output, each output, and what follows the last.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) opening: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) closing: Vec<String>,
}

/// The whole answer in the form that was asked for.
pub(super) fn pieces(ask: &Ask, output: Output<'_>) -> Pieces {
    match ask.form {
        Form::Json => Pieces { outputs: vec![document(ask, output).to_string()], ..Pieces::default() },
        Form::Sse | Form::Ndjson | Form::Array => {
            let events = events(ask, output);
            let frame = |events: Vec<Event>| events.iter().map(|event| event.framed(ask.form)).collect();
            let mut pieces = Pieces {
                opening: frame(events.opening),
                outputs: frame(events.outputs),
                closing: frame(events.closing),
            };
            match ask.form {
                Form::Sse if ask.dialect == Dialect::OpenaiChat => pieces.closing.push("data: [DONE]\n\n".to_owned()),
                Form::Array => {
                    let all = pieces.opening.iter_mut().chain(&mut pieces.outputs).chain(&mut pieces.closing);
                    for (index, piece) in all.enumerate() {
                        piece.insert(0, if index == 0 { '[' } else { ',' });
                    }
                    pieces.closing.push("]".to_owned());
                }
                Form::Json | Form::Sse | Form::Ndjson => {}
            }
            pieces
        }
    }
}

/// One event of a stream.
pub(super) struct Event {
    name: Option<&'static str>,
    data: Value,
}

impl Event {
    /// An event without a name.
    pub(super) const fn data(data: Value) -> Self {
        Self { name: None, data }
    }

    /// An event whose name is its data's `type`.
    pub(super) const fn named(name: &'static str, data: Value) -> Self {
        Self { name: Some(name), data }
    }

    /// The bytes on the wire.
    pub(super) fn framed(&self, form: Form) -> String {
        match (form, self.name) {
            (Form::Sse, Some(name)) => format!("event: {name}\ndata: {}\n\n", self.data),
            (Form::Sse, None) => format!("data: {}\n\n", self.data),
            (Form::Ndjson, _) => format!("{}\n", self.data),
            (Form::Json | Form::Array, _) => self.data.to_string(),
        }
    }
}

#[derive(Default)]
struct Events {
    opening: Vec<Event>,
    outputs: Vec<Event>,
    closing: Vec<Event>,
}

/// An answer's id. Tools that keep a record drop a second answer with an id that they have seen.
fn id(kind: &str, ask: &Ask) -> String {
    format!("{kind}_loopback_{}", ask.serial)
}

/// One output event of a stream: what an endless answer repeats.
pub(super) fn one_output(ask: &Ask, text: &str) -> String {
    pieces(ask, Output::Text(&[text])).outputs.pop().unwrap_or_default()
}

fn events(ask: &Ask, output: Output<'_>) -> Events {
    let texts: &[&str] = match output {
        Output::Text(pieces) => pieces,
        Output::Reasoning => &[REASONING],
        Output::Nothing => &[],
    };
    let is_reasoning = matches!(output, Output::Reasoning);
    match ask.dialect {
        Dialect::OpenaiChat | Dialect::Generic => chat_events(ask, texts, is_reasoning, output.is_finished()),
        Dialect::OpenaiResponses => responses_events(ask, texts, is_reasoning, output),
        Dialect::AnthropicMessages => anthropic_events(ask, texts, is_reasoning, output.is_finished()),
        Dialect::Gemini => gemini_events(ask, texts, is_reasoning, output.is_finished()),
        Dialect::OllamaChat => ollama_events(ask, texts, is_reasoning, output.is_finished()),
    }
}

fn chat_events(ask: &Ask, texts: &[&str], is_reasoning: bool, is_finished: bool) -> Events {
    let chunk = |delta: Value, finish: Value, usage: Value| {
        Event::data(json!({
            "id": id("chatcmpl", ask), "object": "chat.completion.chunk", "created": CREATED, "model": ask.model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": usage,
        }))
    };
    let key = if is_reasoning { "reasoning_content" } else { "content" };
    Events {
        opening: vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null, Value::Null)],
        outputs: texts.iter().map(|text| chunk(json!({key: text}), Value::Null, Value::Null)).collect(),
        closing: vec![chunk(json!({}), json!(if is_finished { "stop" } else { "length" }), chat_usage())],
    }
}

fn chat_usage() -> Value {
    json!({"prompt_tokens": 9, "completion_tokens": 16, "total_tokens": 25})
}

/// Responses frames each output by its item: Codex ignores a delta outside of one, and takes the answer from the end of
/// the item and not from the end of the response.
fn responses_events(ask: &Ask, texts: &[&str], is_reasoning: bool, output: Output<'_>) -> Events {
    let event = |name: &'static str, data: Value| {
        let mut whole = json!({"type": name, "output_index": 0});
        for (key, value) in data.as_object().into_iter().flatten() {
            whole[key] = value.clone();
        }
        Event::named(name, whole)
    };
    let whole = responses_document(ask, output);
    let mut opened = whole.clone();
    for (key, value) in [("status", json!("in_progress")), ("output", json!([])), ("usage", Value::Null)] {
        opened[key] = value;
    }
    opened["incomplete_details"] = Value::Null;
    let last = if output.is_finished() { "response.completed" } else { "response.incomplete" };
    let item = whole["output"][0].clone();
    let item_id = item["id"].clone();
    let mut begun = item.clone();
    let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []});
    let mut events = Events {
        opening: vec![
            Event::named("response.created", json!({"type": "response.created", "response": opened})),
            Event::named("response.in_progress", json!({"type": "response.in_progress", "response": opened})),
        ],
        ..Events::default()
    };
    let delta = if is_reasoning {
        "response.reasoning_summary_text.delta"
    } else {
        begun["status"] = json!("in_progress");
        begun["content"] = json!([]);
        "response.output_text.delta"
    };
    if !texts.is_empty() {
        events.opening.push(event("response.output_item.added", json!({"item": begun})));
        if !is_reasoning {
            let added = json!({"item_id": item_id, "content_index": 0, "part": part("")});
            events.opening.push(event("response.content_part.added", added));
        }
        events.outputs = texts
            .iter()
            .map(|text| {
                let place = if is_reasoning { "summary_index" } else { "content_index" };
                event(delta, json!({"item_id": item_id, place: 0, "delta": text}))
            })
            .collect();
        if !is_reasoning {
            let text = output.text();
            let done = json!({"item_id": item_id, "content_index": 0, "text": text, "logprobs": []});
            events.closing.push(event("response.output_text.done", done));
            let done = json!({"item_id": item_id, "content_index": 0, "part": part(&text)});
            events.closing.push(event("response.content_part.done", done));
        }
        events.closing.push(event("response.output_item.done", json!({"item": item})));
    }
    events.closing.push(Event::named(last, json!({"type": last, "response": whole})));
    events
}

fn responses_document(ask: &Ask, output: Output<'_>) -> Value {
    let is_finished = output.is_finished();
    let items = if is_finished {
        json!([{"type": "message", "id": id("msg", ask), "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": output.text(), "annotations": [], "logprobs": []}]}])
    } else {
        json!([{"type": "reasoning", "id": id("rs", ask), "summary": []}])
    };
    json!({
        "id": id("resp", ask), "object": "response", "created_at": CREATED, "error": null, "model": ask.model,
        "status": if is_finished { "completed" } else { "incomplete" },
        "incomplete_details": if is_finished { Value::Null } else { json!({"reason": "max_output_tokens"}) },
        "output": items,
        "usage": {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 16,
                  "output_tokens_details": {"reasoning_tokens": if is_finished { 0 } else { 16 }},
                  "total_tokens": 25},
    })
}

fn anthropic_events(ask: &Ask, texts: &[&str], is_reasoning: bool, is_finished: bool) -> Events {
    let start = json!({"type": "message_start", "message": {
        "id": id("msg", ask), "type": "message", "role": "assistant", "content": [], "model": ask.model,
        "stop_reason": null, "usage": {"input_tokens": 8, "output_tokens": 1},
    }});
    let block =
        if is_reasoning { json!({"type": "thinking", "thinking": ""}) } else { json!({"type": "text", "text": ""}) };
    let mut events = Events {
        opening: vec![Event::named("message_start", start), Event::named("ping", json!({"type": "ping"}))],
        ..Events::default()
    };
    if !texts.is_empty() {
        events.opening.push(Event::named(
            "content_block_start",
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
        ));
        events.outputs = texts
            .iter()
            .map(|text| {
                let delta = if is_reasoning {
                    json!({"type": "thinking_delta", "thinking": text})
                } else {
                    json!({"type": "text_delta", "text": text})
                };
                Event::named("content_block_delta", json!({"type": "content_block_delta", "index": 0, "delta": delta}))
            })
            .collect();
        events.closing.push(Event::named("content_block_stop", json!({"type": "content_block_stop", "index": 0})));
    }
    events.closing.push(Event::named(
        "message_delta",
        json!({"type": "message_delta", "usage": {"output_tokens": 1},
               "delta": {"stop_reason": if is_finished { "end_turn" } else { "max_tokens" }, "stop_sequence": null}}),
    ));
    events.closing.push(Event::named("message_stop", json!({"type": "message_stop"})));
    events
}

fn gemini_events(ask: &Ask, texts: &[&str], is_reasoning: bool, is_finished: bool) -> Events {
    let part = |text: &&str| {
        let part = if is_reasoning { json!({"text": text, "thought": true}) } else { json!({"text": text}) };
        Event::data(json!({
            "candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}],
            "modelVersion": ask.model,
        }))
    };
    Events {
        opening: Vec::new(),
        outputs: texts.iter().map(part).collect(),
        closing: vec![Event::data(json!({
            "candidates": [{"content": {"role": "model"}, "index": 0,
                            "finishReason": if is_finished { "STOP" } else { "MAX_TOKENS" }}],
            "usageMetadata": {"promptTokenCount": 4, "thoughtsTokenCount": 15, "totalTokenCount": 19},
            "modelVersion": ask.model,
        }))],
    }
}

fn ollama_events(ask: &Ask, texts: &[&str], is_reasoning: bool, is_finished: bool) -> Events {
    let line = |content: &str, thinking: &str| {
        let mut message = json!({"role": "assistant", "content": content});
        if !thinking.is_empty() {
            message["thinking"] = json!(thinking);
        }
        json!({"model": ask.model, "created_at": CREATED_TEXT, "message": message, "done": false})
    };
    let mut last = line("", "");
    last["done"] = json!(true);
    last["done_reason"] = json!(if is_finished { "stop" } else { "length" });
    last["eval_count"] = json!(1);
    Events {
        opening: Vec::new(),
        outputs: texts
            .iter()
            .map(|text| Event::data(if is_reasoning { line("", text) } else { line(text, "") }))
            .collect(),
        closing: vec![Event::data(last)],
    }
}

/// The answer as one document.
fn document(ask: &Ask, output: Output<'_>) -> Value {
    let text = output.text();
    let is_finished = output.is_finished();
    let is_reasoning = matches!(output, Output::Reasoning);
    match ask.dialect {
        Dialect::OpenaiChat | Dialect::Generic => {
            let mut message = json!({"role": "assistant", "content": text});
            if is_reasoning {
                message["reasoning_content"] = json!(REASONING);
            }
            json!({
                "id": id("chatcmpl", ask), "object": "chat.completion", "created": CREATED, "model": ask.model,
                "choices": [{"index": 0, "message": message,
                             "finish_reason": if is_finished { "stop" } else { "length" }}],
                "usage": chat_usage(),
            })
        }
        Dialect::OpenaiResponses => responses_document(ask, output),
        Dialect::AnthropicMessages => {
            let content = match output {
                Output::Text(_) => json!([{"type": "text", "text": text}]),
                Output::Reasoning => json!([{"type": "thinking", "thinking": REASONING, "signature": ""}]),
                Output::Nothing => json!([]),
            };
            json!({
                "id": id("msg", ask), "type": "message", "role": "assistant", "model": ask.model, "content": content,
                "stop_reason": if is_finished { "end_turn" } else { "max_tokens" }, "stop_sequence": null,
                "usage": {"input_tokens": 8, "output_tokens": 1},
            })
        }
        Dialect::Gemini => {
            let mut content = json!({"role": "model"});
            match output {
                Output::Text(_) => content["parts"] = json!([{"text": text}]),
                Output::Reasoning => content["parts"] = json!([{"text": REASONING, "thought": true}]),
                Output::Nothing => {}
            }
            json!({
                "candidates": [{"content": content, "index": 0,
                                "finishReason": if is_finished { "STOP" } else { "MAX_TOKENS" }}],
                "usageMetadata": {"promptTokenCount": 4, "thoughtsTokenCount": 15, "totalTokenCount": 19},
                "modelVersion": ask.model,
            })
        }
        Dialect::OllamaChat => {
            let mut message = json!({"role": "assistant", "content": text});
            if is_reasoning {
                message["thinking"] = json!(REASONING);
            }
            json!({
                "model": ask.model, "created_at": CREATED_TEXT, "message": message, "done": true,
                "done_reason": if is_finished { "stop" } else { "length" }, "eval_count": 1,
            })
        }
    }
}
