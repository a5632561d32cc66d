//! Which error of Codex means what.

use super::rules::{Evidence, Rule, When, judge, rule, silent, status_in};
use crate::core::outcome::Kind;

use When::{Code, NoStatus, Starts, Status, Text};

/// From an error of a rollout, of `thread_turns.error_json` and of `codex exec` to a kind. Observed with versions 0.118
/// to 0.171; the words are those of the tool's protocol.
const TABLE: &[Rule] = &[
    rule("codex-overloaded", &[Code("server_overloaded")], Kind::AtCapacity),
    rule("codex-flex", &[Code("flex_unavailable")], Kind::AtCapacity),
    rule("codex-policy-capacity", &[Code("policy_capacity_unavailable")], Kind::AtCapacity),
    rule("codex-capacity-text", &[Text("model is at capacity")], Kind::AtCapacity),
    rule("codex-overloaded-text", &[Text("servers are currently overloaded")], Kind::AtCapacity),
    // 0.77 quotes the body of a 503.
    rule("codex-overloaded-body", &[Text("\"server_is_overloaded\""), Status(500, 599)], Kind::AtCapacity),
    rule("codex-529", &[Status(529, 529)], Kind::AtCapacity),
    rule("codex-rate-limit", &[Code("rate_limit_exceeded")], Kind::RateLimited),
    rule("codex-not-included", &[Starts("To use Codex with your ChatGPT plan")], Kind::Forbidden),
    rule("codex-quota", &[Starts("Quota exceeded")], Kind::QuotaExhausted),
    rule("codex-usage-limit", &[Code("usage_limit_exceeded")], Kind::UsageLimit),
    rule("codex-usage-limit-text", &[When::Both("hit your", "limit")], Kind::UsageLimit),
    rule("codex-unauthorized", &[Code("unauthorized")], Kind::Auth),
    rule("codex-model-not-found", &[Code("model_not_found")], Kind::ModelNotFound),
    rule("codex-context", &[Code("context_window_exceeded")], Kind::BadRequest),
    rule("codex-context-text", &[Text("ran out of room in the model's context")], Kind::BadRequest),
    rule("codex-invalid-prompt", &[Code("invalid_prompt")], Kind::ContentFiltered),
    rule("codex-cyber-policy", &[Code("cyber_policy")], Kind::ContentFiltered),
    rule("codex-bio-policy", &[Code("bio_policy")], Kind::ContentFiltered),
    rule("codex-misalignment-policy", &[Code("misalignment_policy_violation")], Kind::ContentFiltered),
    silent("codex-sandbox", &[Code("sandbox_error")]),
    silent("codex-rollback", &[Code("thread_rollback_failed")]),
    silent("codex-hook", &[Code("inference_hook_denied")]),
    silent("codex-denials", &[Code("too_many_denials")]),
    silent("codex-steer", &[Code("active_turn_not_steerable")]),
    silent("codex-session-budget", &[Code("session_budget_exceeded")]),
    rule("codex-plan-model", &[Text("not supported when using Codex with a ChatGPT account")], Kind::ModelNotFound),
    rule("codex-no-model-text", &[When::Both("model", "does not exist")], Kind::ModelNotFound),
    rule("codex-missing-variable", &[Starts("Missing environment variable")], Kind::Misconfigured),
    rule("codex-idle", &[Text("idle timeout waiting for")], Kind::Timeout),
    rule("codex-401", &[Status(401, 401)], Kind::Auth),
    rule("codex-403", &[Status(403, 403)], Kind::Forbidden),
    rule("codex-404-model", &[Status(404, 404), Text("model")], Kind::ModelNotFound),
    rule("codex-404", &[Status(404, 405)], Kind::Misconfigured),
    rule("codex-408", &[Status(408, 408)], Kind::Timeout),
    rule("codex-504", &[Status(504, 504)], Kind::Timeout),
    rule("codex-429", &[Status(429, 429)], Kind::RateLimited),
    rule("codex-402", &[Status(402, 402)], Kind::QuotaExhausted),
    rule("codex-4xx", &[Status(400, 499)], Kind::BadRequest),
    rule("codex-5xx", &[Status(500, 599)], Kind::ServerError),
    rule("codex-bad-request", &[Code("bad_request")], Kind::BadRequest),
    rule("codex-internal", &[Code("internal_server_error")], Kind::ServerError),
    rule("codex-demand-text", &[Text("currently experiencing high demand")], Kind::ServerError),
    rule("codex-rate-limit-text", &[Starts("rate limit exceeded")], Kind::RateLimited),
    rule("codex-timed-out", &[NoStatus, Text("timed out")], Kind::Timeout),
    rule("codex-disconnected-text", &[Starts("stream disconnected before completion")], Kind::Network),
    rule("codex-disconnected", &[Code("response_stream_disconnected")], Kind::Network),
    rule("codex-stream-connection", &[Code("response_stream_connection_failed")], Kind::Network),
    rule("codex-connection", &[Code("http_connection_failed")], Kind::Network),
    rule("codex-connection-text", &[Starts("Connection failed")], Kind::Network),
    rule("codex-sending-text", &[Text("error sending request")], Kind::Network),
    rule("codex-waiting-text", &[Text("waiting for network")], Kind::Network),
];

/// The kind of an error by its text alone, as `codex exec --json` and the log database give it.
pub(super) fn judge_text(message: &str) -> Option<(Kind, &'static str, Option<u16>)> {
    judge_error(message, "", None)
}

/// The kind of an error by its text, its word and the status in it.
pub(super) fn judge_error(message: &str, code: &str, status: Option<u16>) -> Option<(Kind, &'static str, Option<u16>)> {
    let status = status.or_else(|| {
        // Only where Codex itself says that it is a status: a number elsewhere may be anything.
        ["unexpected status ", "last status: "]
            .iter()
            .find_map(|mark| message.split_once(mark))
            .and_then(|(_, rest)| status_in(rest.get(..3)?))
    });
    let evidence = Evidence { status, codes: [code, "", ""], texts: [message, ""], ..Evidence::default() };
    judge(TABLE, &evidence).map(|(kind, rule)| (kind, rule, status))
}
