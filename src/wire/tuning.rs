//! What is learnt about a model's request: which cap, under which name, and which fields to leave out.

use serde_json::Value;

use crate::core::exchange::Exchange;
use crate::core::target::{Dialect, ModelId};
use crate::wire::models::Class;

/// The cap of a plain model; also the floor that the responses API enforces.
const CAP_PLAIN: u32 = 16;
/// The cap of a model that nothing is known of.
const CAP_UNKNOWN: u32 = 64;
/// The cap of a thinking model: enough for a short thought.
const CAP_THINKS: u32 = 256;
/// The highest cap that is ever asked for; generous enough for every thinking model reported so far.
const CAP_MOST: u32 = 4096;
/// What the shortest prompt costs, with the wrapping that providers add.
const TOKENS_IN: u32 = 12;

/// The adjustable part of a probe's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Tokens the answer may have, 1 to 4096; billed is what is generated, not this.
    pub cap: u32,
    /// The cap's name in the chat dialect.
    pub cap_field: CapField,
    /// Thinking effort to ask for, where the model is known to know it.
    pub effort: Option<&'static str>,
    /// Ask for a stream, so that the time to the first token is known.
    pub stream: bool,
    /// Say `store: false` in the responses dialect.
    pub store: bool,
    /// The model thinks before it answers: longer deadlines.
    pub thinks: bool,
    /// The other name of the cap was refused already, so that the two do not take turns.
    cap_field_tried: bool,
}

/// The name of the output cap in `openai-chat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapField {
    /// `max_tokens`: nearly everyone.
    MaxTokens,
    /// `max_completion_tokens`: OpenAI's thinking models refuse the other.
    MaxCompletionTokens,
    /// None: an endpoint that knows neither name.
    Absent,
}

impl CapField {
    /// The field's name on the wire.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::MaxTokens => Some("max_tokens"),
            Self::MaxCompletionTokens => Some("max_completion_tokens"),
            Self::Absent => None,
        }
    }
}

impl Tuning {
    /// What a model's name tells before the first request.
    pub fn guess(dialect: Dialect, model: &ModelId) -> Self {
        let class = Class::of(model.as_str());
        let cap = match (dialect, class) {
            // A local runtime sends a thought as output, so that one token is proof enough.
            (Dialect::OllamaChat, _) => 1,
            (Dialect::AnthropicMessages, Class::Claude) => 1,
            (_, Class::Plain | Class::PlainCompletion | Class::Claude) => CAP_PLAIN,
            (_, Class::Unknown) => CAP_UNKNOWN,
            (_, Class::Thinks | Class::ThinksLow | Class::ThinksCompletion) => CAP_THINKS,
        };
        let cap_field = match class {
            Class::PlainCompletion | Class::ThinksLow | Class::ThinksCompletion => CapField::MaxCompletionTokens,
            Class::Plain | Class::Thinks | Class::Claude | Class::Unknown => CapField::MaxTokens,
        };
        Self {
            cap,
            cap_field,
            effort: (class == Class::ThinksLow).then_some("low"),
            stream: true,
            store: true,
            thinks: class.thinks(),
            cap_field_tried: false,
        }
    }

    /// Estimated tokens of one probe, in and out together: never less than what is billed to a model that keeps the cap.
    pub const fn estimated_tokens(&self) -> u32 {
        TOKENS_IN + self.cap
    }
}

/// A corrected request shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapted {
    /// What to send from now on.
    pub tuning: Tuning,
    /// The answer was proof of life all the same: there is no need to ask again at once.
    pub is_proof_of_life: bool,
}

/// Learns from a refusal of the request's shape; `None` when the answer is no such refusal or nothing is left to change.
/// Such a refusal is a fault of the probe, never of the model. Every change is made at most once per model or grows
/// towards a limit, so that repeating comes to an end.
pub fn adapt(dialect: Dialect, tuning: &Tuning, exchange: &Exchange) -> Option<Adapted> {
    if !matches!(exchange.status, Some(400 | 404 | 422 | 500)) {
        return None;
    }
    let text = ErrorText::read(&exchange.body)?;
    let mut next = tuning.clone();

    if text.says("could not finish the message") {
        // Only a model that generated can run out of its budget.
        next.cap = raised(tuning.cap)?;
        return Some(Adapted { tuning: next, is_proof_of_life: true });
    }
    let changed = adapt_cap_name(dialect, &mut next, &text)
        || adapt_cap_size(&mut next, &text)
        || adapt_optional_fields(&mut next, &text);
    changed.then_some(Adapted { tuning: next, is_proof_of_life: false })
}

fn adapt_cap_name(dialect: Dialect, next: &mut Tuning, text: &ErrorText) -> bool {
    if dialect != Dialect::OpenaiChat {
        return false;
    }
    let Some(name) = next.cap_field.name() else { return false };
    // Named in quotes or as the parameter at fault, so that "use X instead" does not blame X.
    if !text.refuses(name) {
        return false;
    }
    let other = match next.cap_field {
        CapField::MaxTokens => CapField::MaxCompletionTokens,
        CapField::MaxCompletionTokens | CapField::Absent => CapField::MaxTokens,
    };
    next.cap_field = if next.cap_field_tried { CapField::Absent } else { other };
    next.cap_field_tried = true;
    true
}

fn adapt_cap_size(next: &mut Tuning, text: &ErrorText) -> bool {
    let is_about_cap = text.names_any(&[
        "max_tokens",
        "max_completion_tokens",
        "max_output_tokens",
        "maxoutputtokens",
        "num_predict",
        "budget_tokens",
    ]);
    if !is_about_cap {
        return false;
    }
    let is_too_small = text.says_any(&[
        "integer_below_min_value",
        "below minimum",
        "below the minimum",
        "less than the minimum",
        "must be at least",
        "should be at least",
        "greater than or equal",
        "must be greater than",
        "must be >=",
        ">= 1",
        "too small",
    ]);
    if !is_too_small {
        return false;
    }
    // The number that the text names, where it names one; else the next step.
    let floor = text.number_after(&[">= ", "at least ", "greater than or equal to ", "greater than "]);
    let cap = match floor {
        Some(floor) if floor >= next.cap && floor < CAP_MOST => Some((floor + 1).max(CAP_PLAIN)),
        _ => raised(next.cap),
    };
    let Some(cap) = cap else { return false };
    next.cap = cap;
    true
}

fn adapt_optional_fields(next: &mut Tuning, text: &ErrorText) -> bool {
    if next.effort.is_some()
        && (text.refuses("reasoning_effort") || text.refuses("reasoning.effort") || text.refuses("reasoning"))
    {
        next.effort = None;
        return true;
    }
    if next.store && text.refuses("store") {
        next.store = false;
        return true;
    }
    let refuses_stream = text.refuses("stream")
        || text.says_any(&["streaming is not supported", "does not support streaming", "stream is not supported"]);
    if next.stream && refuses_stream && !text.says("stream must be set to true") {
        next.stream = false;
        return true;
    }
    false
}

/// The next larger cap, four times as much, up to the limit.
fn raised(cap: u32) -> Option<u32> {
    (cap < CAP_MOST).then(|| cap.saturating_mul(4).clamp(CAP_PLAIN, CAP_MOST))
}

/// An error body in lower case, with the parameter it blames.
struct ErrorText {
    text: String,
    param: Option<String>,
}

impl ErrorText {
    fn read(body: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(body);
        let json: Option<Value> = serde_json::from_str(&text).ok();
        let param = json.as_ref().and_then(|json| json.pointer("/error/param")?.as_str().map(str::to_ascii_lowercase));
        // Escaped quotes of a wrapped error would hide the parameter's name.
        let text = text.replace("\\\"", "\"").replace("\\\\", "\\").to_ascii_lowercase();
        (!text.trim().is_empty()).then_some(Self { text, param })
    }

    fn says(&self, words: &str) -> bool {
        self.text.contains(words)
    }

    fn says_any(&self, words: &[&str]) -> bool {
        words.iter().any(|words| self.says(words))
    }

    fn names_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.param.as_deref() == Some(*name) || self.text.contains(name))
    }

    /// Whether the error says that a field is not wanted: it is the one blamed, and not for its value's size.
    fn refuses(&self, name: &str) -> bool {
        let is_refusal = self.says_any(&[
            "unsupported_parameter",
            "unsupported parameter",
            "unsupported_value",
            "unsupported value",
            "unknown_parameter",
            "unknown parameter",
            "unrecognized request argument",
            "unrecognized field",
            "unknown field",
            "unknown name",
            "unexpected keyword",
            "extra_forbidden",
            "extra inputs are not permitted",
            "extra fields not permitted",
            "additional properties are not allowed",
            "property is not allowed",
            "is not supported",
            "not supported with this model",
            "does not support",
            "is not allowed",
            "not permitted",
        ]);
        if !is_refusal {
            return false;
        }
        if let Some(param) = &self.param {
            return param == name || param.strip_prefix("body.") == Some(name);
        }
        let blamed = |quote: char| format!("{quote}{name}{quote}");
        ['\'', '"', '`'].into_iter().any(|quote| self.first_quoted_is(&blamed(quote)))
            || [format!("parameter: {name}"), format!("argument supplied: {name}"), format!("field {name}")]
                .iter()
                .any(|words| self.text.contains(words.as_str()))
            || self.text.contains(&format!("{name}: extra inputs"))
            || self.text.contains(&format!("{name} is not supported"))
    }

    /// Whether this quoted name comes before any "instead" that proposes a cure.
    fn first_quoted_is(&self, quoted: &str) -> bool {
        let Some(at) = self.text.find(quoted) else { return false };
        !self.text[..at].trim_end().ends_with("use")
    }

    fn number_after(&self, words: &[&str]) -> Option<u32> {
        words.iter().find_map(|words| {
            let rest = self.text.split_once(words)?.1.trim_start_matches(['`', '\'', '"']);
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refusal(status: u16, body: &str) -> Exchange {
        Exchange { status: Some(status), body: body.as_bytes().to_vec(), ..Exchange::default() }
    }

    fn guess(dialect: Dialect, model: &str) -> Tuning {
        Tuning::guess(dialect, &ModelId::from(model))
    }

    #[test]
    fn thinking_models_get_room() {
        for (dialect, model, cap, field, effort) in [
            (Dialect::OpenaiChat, "gpt-4o", 16, CapField::MaxTokens, None),
            (Dialect::OpenaiChat, "o3-mini", 256, CapField::MaxCompletionTokens, Some("low")),
            (Dialect::OpenaiChat, "deepseek-reasoner", 256, CapField::MaxTokens, None),
            (Dialect::OpenaiChat, "house-model", 64, CapField::MaxTokens, None),
            (Dialect::OpenaiResponses, "gpt-4.1", 16, CapField::MaxTokens, None),
            (Dialect::AnthropicMessages, "claude-opus-4-5", 1, CapField::MaxTokens, None),
            (Dialect::AnthropicMessages, "glm-4.6", 256, CapField::MaxTokens, None),
            (Dialect::Gemini, "gemini-2.5-pro", 256, CapField::MaxTokens, None),
            (Dialect::OllamaChat, "qwen3:8b", 1, CapField::MaxTokens, None),
        ] {
            let tuning = guess(dialect, model);
            assert_eq!((tuning.cap, tuning.cap_field, tuning.effort), (cap, field, effort), "{model}");
        }
    }

    #[test]
    fn a_refused_cap_name_is_replaced_once() {
        let body = r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#;
        let first = guess(Dialect::OpenaiChat, "house-model");
        let next = adapt(Dialect::OpenaiChat, &first, &refusal(400, body)).unwrap();
        assert_eq!(next.tuning.cap_field, CapField::MaxCompletionTokens);
        assert!(!next.is_proof_of_life);
        // The same complaint about a field that is no longer sent changes nothing.
        assert_eq!(adapt(Dialect::OpenaiChat, &next.tuning, &refusal(400, body)), None);
        let other = r#"{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]}"#;
        let last = adapt(Dialect::OpenaiChat, &next.tuning, &refusal(422, other)).unwrap();
        assert_eq!(last.tuning.cap_field, CapField::Absent);
    }

    #[test]
    fn the_same_refusal_without_a_param_field_is_understood() {
        let body = r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}"#;
        let next = adapt(Dialect::OpenaiChat, &guess(Dialect::OpenaiChat, "x"), &refusal(400, body)).unwrap();
        assert_eq!(next.tuning.cap_field, CapField::MaxCompletionTokens);
        // A model that was already asked in the proposed way is not asked in the refused one.
        assert_eq!(adapt(Dialect::OpenaiChat, &next.tuning, &refusal(400, body)), None);
    }

    #[test]
    fn a_cap_below_the_floor_is_raised_to_it() {
        let plain = r#"{"error":{"message":"Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.","param":"max_output_tokens","code":"integer_below_min_value"}}"#;
        let wrapped = serde_json::json!({"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": plain}}}).to_string();
        for body in [plain, &wrapped] {
            let mut low = guess(Dialect::OpenaiResponses, "gpt-4.1");
            low.cap = 1;
            let next = adapt(Dialect::OpenaiResponses, &low, &refusal(400, body)).unwrap();
            assert!(next.tuning.cap >= 16 && next.tuning.cap <= 32, "{}", next.tuning.cap);
        }
        let thinking = r#"{"type":"error","error":{"type":"invalid_request_error","message":"`max_tokens` must be greater than `thinking.budget_tokens`."}}"#;
        let next =
            adapt(Dialect::AnthropicMessages, &guess(Dialect::AnthropicMessages, "claude-x"), &refusal(400, thinking));
        assert_eq!(next.unwrap().tuning.cap, 16);
    }

    #[test]
    fn running_out_of_the_budget_is_proof_of_life_and_raises_it() {
        let body = r#"{"error":{"message":"Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens."}}"#;
        let mut tuning = guess(Dialect::OpenaiChat, "house-model");
        let mut caps = vec![tuning.cap];
        while let Some(next) = adapt(Dialect::OpenaiChat, &tuning, &refusal(400, body)) {
            assert!(next.is_proof_of_life);
            tuning = next.tuning;
            caps.push(tuning.cap);
        }
        assert_eq!(caps, [64, 256, 1024, 4096]);
    }

    #[test]
    fn optional_fields_are_dropped_once() {
        let effort = r#"{"error":{"message":"Unsupported value: 'reasoning_effort' does not support 'low' with this model.","param":"reasoning_effort","code":"unsupported_value"}}"#;
        let next =
            adapt(Dialect::OpenaiChat, &guess(Dialect::OpenaiChat, "gpt-5"), &refusal(400, effort)).unwrap().tuning;
        assert_eq!(next.effort, None);
        assert_eq!(adapt(Dialect::OpenaiChat, &next, &refusal(400, effort)), None);

        let store = r#"{"error":{"message":"Unknown parameter: 'store'.","param":"store","code":"unknown_parameter"}}"#;
        let next =
            adapt(Dialect::OpenaiResponses, &guess(Dialect::OpenaiResponses, "x"), &refusal(400, store)).unwrap();
        assert!(!next.tuning.store);

        let stream = r#"{"error":{"message":"Unsupported value: 'stream' does not support true with this model.","param":"stream","code":"unsupported_value"}}"#;
        let next = adapt(Dialect::OpenaiChat, &guess(Dialect::OpenaiChat, "x"), &refusal(400, stream)).unwrap();
        assert!(!next.tuning.stream);
    }

    #[test]
    fn other_errors_teach_nothing() {
        for (status, body) in [
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#,
            ),
            (402, r#"{"error":{"message":"This request requires more credits, or fewer max_tokens."}}"#),
            (404, r#"{"error":{"message":"The model `x` does not exist","code":"model_not_found","param":null}}"#),
            (400, r#"{"error":{"message":"The model `x` is not supported when using Codex"}}"#),
            (200, "data: {\"choices\":[{\"delta\":{\"content\":\"max_tokens is not supported\"}}]}"),
            (503, r#"{"error":{"message":"store is not supported"}}"#),
            (400, ""),
        ] {
            let tuning = guess(Dialect::OpenaiChat, "gpt-5");
            assert_eq!(adapt(Dialect::OpenaiChat, &tuning, &refusal(status, body)), None, "{body}");
        }
    }

    proptest! {
        #![proptest_config(crate::properties::cases(256))]

        #[test]
        fn learning_ends_whatever_is_answered(bodies in prop::collection::vec(
            "(unsupported_parameter|>= [0-9]{1,9}|'max_tokens'|'max_completion_tokens'|'stream'|'store'|could not finish the message|below minimum| |\\PC){0,8}",
            1..4,
        )) {
            for dialect in Dialect::PROBED {
                let mut tuning = guess(dialect, "gpt-5");
                let mut steps = 0;
                while let Some(next) = bodies.iter().find_map(|body| adapt(dialect, &tuning, &refusal(400, body))) {
                    prop_assert!((1..=CAP_MOST).contains(&next.tuning.cap));
                    prop_assert_ne!(&next.tuning, &tuning);
                    tuning = next.tuning;
                    steps += 1;
                    prop_assert!(steps < CAP_MOST);
                }
            }
        }
    }
}
