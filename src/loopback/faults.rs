//! How each dialect says that something is wrong. Shapes: `errors.md` and the vendors' documentation.

use serde_json::{Value, json};

use crate::core::target::Dialect;
use crate::loopback::outputs::Event;

/// The sentence of a client that users know; some relays send it as answer text.
pub(super) const SENTENCE: [&str; 4] = ["Selected model is at ", "capac", "ity. Please try a ", "different model."];

/// The seconds that a rate limit asks to wait.
pub const RATE_WAIT_S: u32 = 20;
/// The seconds until a plan's window is reset.
pub const USAGE_WAIT_S: u32 = 13_872;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Overloaded,
    Rate,
    Quota,
    UsageLimit,
    Unauthorized,
    Forbidden,
    ModelNotFound,
    TooLong,
    Filtered,
    Broken,
    CouldNotFinish,
}

/// An error answer.
pub(super) struct ErrorAnswer {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Value,
}

/// A fault as the dialect says it over plain HTTP.
pub(super) fn fault(dialect: Dialect, model: &str, fault: Fault) -> ErrorAnswer {
    let (status, body) = match dialect {
        Dialect::OpenaiChat | Dialect::OpenaiResponses | Dialect::Generic => openai(dialect, model, fault),
        Dialect::AnthropicMessages => anthropic(model, fault),
        Dialect::Gemini => gemini(model, fault),
        Dialect::OllamaChat => ollama(model, fault),
    };
    let mut headers = Vec::new();
    match fault {
        Fault::Rate => headers.push(("retry-after", RATE_WAIT_S.to_string())),
        Fault::UsageLimit if dialect == Dialect::AnthropicMessages => headers.extend([
            ("retry-after", USAGE_WAIT_S.to_string()),
            ("anthropic-ratelimit-unified-status", "rejected".to_owned()),
            ("anthropic-ratelimit-unified-5h-status", "rejected".to_owned()),
            ("anthropic-ratelimit-unified-representative-claim", "five_hour".to_owned()),
            ("x-should-retry", "true".to_owned()),
        ]),
        Fault::UsageLimit if dialect == Dialect::OpenaiResponses => headers.extend([
            ("x-codex-primary-used-percent", "100".to_owned()),
            ("x-codex-primary-reset-after-seconds", USAGE_WAIT_S.to_string()),
        ]),
        Fault::UsageLimit if dialect == Dialect::OllamaChat => {
            headers.push(("retry-after", USAGE_WAIT_S.to_string()));
        }
        _ => {}
    }
    ErrorAnswer { status, headers, body }
}

fn openai(dialect: Dialect, model: &str, fault: Fault) -> (u16, Value) {
    let error = |message: &str, kind: &str, code: Value| json!({"error": {"message": message, "type": kind, "param": null, "code": code}});
    match fault {
        Fault::Overloaded => (
            503,
            error(
                "The requested model does not have enough capacity to process your request at the moment. \
                 Please try again later.",
                "service_unavailable_error",
                json!("server_is_overloaded"),
            ),
        ),
        Fault::Rate => (
            429,
            error(
                &format!(
                    "Rate limit reached for {model} in organization org-loopback on tokens per min (TPM): Limit 30000, \
                     Used 29000, Requested 2000. Please try again in {RATE_WAIT_S}s."
                ),
                "tokens",
                json!("rate_limit_exceeded"),
            ),
        ),
        Fault::Quota => (
            429,
            error(
                "You exceeded your current quota, please check your plan and billing details.",
                "insufficient_quota",
                json!("insufficient_quota"),
            ),
        ),
        Fault::UsageLimit => (
            429,
            json!({"error": {"type": "usage_limit_reached", "message": "The usage limit has been reached",
                             "plan_type": "plus", "resets_in_seconds": USAGE_WAIT_S}}),
        ),
        Fault::Unauthorized => (
            401,
            error("Incorrect API key provided: sk-loop****back.", "invalid_request_error", json!("invalid_api_key")),
        ),
        Fault::Forbidden => (
            403,
            error(
                "Country, region, or territory not supported",
                "request_forbidden",
                json!("unsupported_country_region_territory"),
            ),
        ),
        Fault::ModelNotFound => (
            404,
            error(
                &format!("The model `{model}` does not exist or you do not have access to it."),
                "invalid_request_error",
                json!("model_not_found"),
            ),
        ),
        Fault::TooLong => (
            400,
            error(
                "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
                "invalid_request_error",
                json!("context_length_exceeded"),
            ),
        ),
        Fault::Filtered if dialect == Dialect::OpenaiResponses => (
            400,
            error(
                "This request has been flagged for possible cybersecurity risk.",
                "invalid_request_error",
                json!("cyber_policy"),
            ),
        ),
        Fault::Filtered => (
            400,
            json!({"error": {
                "message": "The response was filtered due to the prompt triggering the content management policy. \
                            Please modify your prompt and retry.",
                "type": null, "param": "prompt", "code": "content_filter", "status": 400,
                "innererror": {"code": "ResponsibleAIPolicyViolation"},
            }}),
        ),
        Fault::Broken => (
            500,
            error(
                "The server had an error while processing your request. Sorry about that!",
                "server_error",
                Value::Null,
            ),
        ),
        Fault::CouldNotFinish => (
            400,
            error(
                "Could not finish the message because max_tokens or model output limit was reached. Please try again \
                 with higher max_tokens.",
                "invalid_request_error",
                Value::Null,
            ),
        ),
    }
}

fn anthropic(model: &str, fault: Fault) -> (u16, Value) {
    let (status, kind, message) = match fault {
        Fault::Overloaded => (529, "overloaded_error", "Overloaded".to_owned()),
        Fault::Rate => (
            429,
            "rate_limit_error",
            "This request would exceed the rate limit for your organization of 20,000 input tokens per minute."
                .to_owned(),
        ),
        Fault::Quota => (
            400,
            "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or \
             purchase credits."
                .to_owned(),
        ),
        Fault::UsageLimit => (
            429,
            "rate_limit_error",
            "This request would exceed your account's rate limit. Please try again later.".to_owned(),
        ),
        Fault::Unauthorized => (401, "authentication_error", "invalid x-api-key".to_owned()),
        Fault::Forbidden => {
            (403, "permission_error", "Your API key does not have permission to use the specified resource.".to_owned())
        }
        Fault::ModelNotFound => (404, "not_found_error", format!("model: {model}")),
        Fault::TooLong => {
            (400, "invalid_request_error", "prompt is too long: 215031 tokens > 200000 maximum".to_owned())
        }
        Fault::Filtered => (400, "invalid_request_error", "Output blocked by content filtering policy".to_owned()),
        Fault::Broken | Fault::CouldNotFinish => (500, "api_error", "Internal server error".to_owned()),
    };
    (status, json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_loopback"}))
}

fn gemini(model: &str, fault: Fault) -> (u16, Value) {
    let quota_text = "You exceeded your current quota, please check your plan and billing details.";
    let (code, status, message, details) = match fault {
        Fault::Overloaded => {
            (503, "UNAVAILABLE", "The model is overloaded. Please try again later.".to_owned(), json!(null))
        }
        Fault::Rate => (
            429,
            "RESOURCE_EXHAUSTED",
            quota_text.to_owned(),
            json!([
                {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{
                    "quotaMetric": "generativelanguage.googleapis.com/generate_content_requests",
                    "quotaId": "GenerateRequestsPerMinutePerProjectPerModel", "quotaValue": "10"}]},
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": format!("{RATE_WAIT_S}s")},
            ]),
        ),
        Fault::Quota => (
            429,
            "RESOURCE_EXHAUSTED",
            quota_text.to_owned(),
            json!([{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{
                "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
                "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "quotaValue": "20"}]}]),
        ),
        Fault::UsageLimit => (
            429,
            "RESOURCE_EXHAUSTED",
            "You have exhausted your capacity on this model. Your quota will reset after 3h51m12s.".to_owned(),
            json!([
                {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "QUOTA_EXHAUSTED",
                 "domain": "cloudcode-pa.googleapis.com", "metadata": {"model": model}},
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": format!("{USAGE_WAIT_S}s")},
            ]),
        ),
        Fault::Unauthorized => (
            400,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.".to_owned(),
            json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
                    "domain": "googleapis.com", "metadata": {"service": "generativelanguage.googleapis.com"}}]),
        ),
        Fault::Forbidden => (403, "PERMISSION_DENIED", "The caller does not have permission".to_owned(), json!(null)),
        Fault::ModelNotFound => (
            404,
            "NOT_FOUND",
            format!(
                "models/{model} is not found for API version v1beta, or is not supported for generateContent. Call \
                 ListModels to see the list of available models and their supported methods."
            ),
            json!(null),
        ),
        Fault::TooLong => (
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).".to_owned(),
            json!(null),
        ),
        Fault::Filtered => {
            // A blocked prompt is no error of HTTP here.
            return (
                200,
                json!({"promptFeedback": {"blockReason": "SAFETY"},
                       "usageMetadata": {"promptTokenCount": 8, "totalTokenCount": 8}, "modelVersion": model}),
            );
        }
        Fault::Broken | Fault::CouldNotFinish => {
            (500, "INTERNAL", "An internal error has occurred. Please retry.".to_owned(), json!(null))
        }
    };
    let mut error = json!({"code": code, "message": message, "status": status});
    if !details.is_null() {
        error["details"] = details;
    }
    (code, json!({"error": error}))
}

fn ollama(model: &str, fault: Fault) -> (u16, Value) {
    let (status, text) = match fault {
        Fault::Overloaded => (503, "server busy, please try again.  maximum pending requests exceeded".to_owned()),
        Fault::Rate => (429, "too many requests".to_owned()),
        Fault::Quota => {
            (429, "You exceeded your current quota, please check your plan and billing details.".to_owned())
        }
        Fault::UsageLimit => (429, "you have reached your hourly usage limit, please try again later".to_owned()),
        Fault::Unauthorized => (401, "unauthorized".to_owned()),
        Fault::Forbidden => (403, "forbidden".to_owned()),
        Fault::ModelNotFound => (404, format!("model '{model}' not found")),
        Fault::TooLong => (400, "prompt is too long; exceeds the maximum context length".to_owned()),
        Fault::Filtered => {
            (400, "The response was filtered due to the prompt triggering the content management policy.".to_owned())
        }
        Fault::Broken | Fault::CouldNotFinish => (500, "an error was encountered while running the model".to_owned()),
    };
    (status, json!({"error": text}))
}

/// A full model as an event inside a stream that began with 200.
pub(super) fn overloaded_event(dialect: Dialect, model: &str) -> Event {
    match dialect {
        Dialect::OpenaiChat | Dialect::Generic => Event::data(json!({
            "id": "gen-loopback", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [],
            "error": {"code": 502, "message": "ResourceExhausted: Worker local total request limit reached (33/32)",
                      "metadata": {"provider_name": "Loopback", "error_type": "provider_unavailable"}},
        })),
        Dialect::OpenaiResponses => Event::named(
            "response.failed",
            json!({"type": "response.failed", "response": {
                "id": "resp_loopback", "status": "failed", "output": [], "model": model,
                "error": {"code": "server_is_overloaded",
                          "message": "Our servers are currently overloaded. Please try again later."}}}),
        ),
        Dialect::AnthropicMessages => Event::named(
            "error",
            json!({"type": "error", "error": {"details": null, "type": "overloaded_error", "message": "Overloaded"}}),
        ),
        Dialect::Gemini | Dialect::OllamaChat => {
            let ErrorAnswer { body, .. } = fault(dialect, model, Fault::Overloaded);
            Event::data(body)
        }
    }
}

/// A full model with status 529, whatever the dialect.
pub(super) fn overloaded_529(dialect: Dialect) -> Value {
    match dialect {
        Dialect::AnthropicMessages => {
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
        }
        Dialect::Gemini => {
            json!({"error": {"code": 529, "message": "The model is overloaded. Please try again later.",
                             "status": "UNAVAILABLE"}})
        }
        Dialect::OllamaChat => json!({"error": "server busy, please try again.  maximum pending requests exceeded"}),
        Dialect::OpenaiChat | Dialect::OpenaiResponses | Dialect::Generic => {
            json!({"error": {"code": "1305", "message": "该模型当前访问量过大，请您稍后再试"}})
        }
    }
}
