//! From what a tool printed to a verdict. Pure; what it printed goes no further.

use serde_json::json;

use crate::core::board::Detail;
use crate::core::outcome::{Kind, Outcome, Scope};
use crate::listen::{self, Form, LineReader, Lines, Observation, Reader, Seen, Tool};
use crate::toolprobe::Program;

/// The rule of a run that said nothing until its deadline: as likely our network as theirs.
pub const SILENT: &str = "tool-probe-silent";

/// The rule of a quota that Gemini CLI itself expects to be free again soon.
pub const REPEATED: &str = "tool-probe-gemini-repeats";

impl Program {
    /// The reader's name for it.
    pub const fn tool(self) -> Tool {
        match self {
            Self::Codex => Tool::Codex,
            Self::ClaudeCode => Tool::ClaudeCode,
            Self::GeminiCli => Tool::GeminiCli,
            Self::Opencode => Tool::Opencode,
        }
    }
}

/// What a run says so far, if it is decided: an answer, a refusal at the run's end, or one that the tool would repeat.
pub fn decided(program: Program, stdout: &[u8], stderr: &[u8]) -> Option<Observation> {
    let printed = read(Form::Output(program.tool()), stdout);
    // A refusal that Codex may still get over is told by its end alone.
    let printed = printed.filter(|said| said.kind == Kind::Available || program != Program::Codex || is_failed(stdout));
    // Words that are not understood may be followed by an end that is: its status tells more.
    printed.or_else(|| complained(program, stderr).filter(|said| said.kind != Kind::Unrecognized))
}

/// What a run says that has ended, or was ended.
pub fn ended(program: Program, stdout: &[u8], stderr: &[u8]) -> Option<Observation> {
    read(Form::Output(program.tool()), stdout).or_else(|| complained(program, stderr))
}

/// The verdict of an observation.
pub fn outcome(observation: &Observation, now: jiff::Timestamp) -> Outcome {
    let scope = listen::scope(observation.kind);
    let Detail { wait_helps, switch_helps, .. } = Detail::of_record(observation.kind, scope);
    let wait = observation.resets_at.and_then(|resets| u64::try_from(resets.as_second() - now.as_second()).ok());
    Outcome {
        kind: observation.kind,
        scope,
        retry_after: wait.map(std::time::Duration::from_secs),
        wait_helps,
        switch_helps,
        rule: observation.rule.into(),
        excerpt: String::new(),
    }
}

/// The verdict of a run that said nothing.
pub fn silent() -> Outcome {
    let Detail { wait_helps, switch_helps, .. } = Detail::of_record(Kind::Timeout, Scope::Local);
    Outcome {
        kind: Kind::Timeout,
        scope: Scope::Local,
        retry_after: None,
        wait_helps,
        switch_helps,
        rule: SILENT.into(),
        excerpt: String::new(),
    }
}

fn is_failed(stdout: &[u8]) -> bool {
    memchr::memmem::find(stdout, b"{\"type\":\"turn.failed\"").is_some()
}

/// What the tools that repeat a refused request without end say of it meanwhile.
fn complained(program: Program, stderr: &[u8]) -> Option<Observation> {
    match program {
        Program::Opencode => read(Form::OpencodeLog, stderr),
        Program::GeminiCli => {
            let text = String::from_utf8_lossy(stderr);
            // The last line may not be whole yet.
            let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
            let refused = whole.lines().rfind(|line| line.starts_with("Attempt ") && line.contains(" failed"))?;
            // Judged as the same words are at the end of a run.
            let result = json!({"type": "result", "status": "error", "error": {"message": refused}});
            let said = read(Form::Output(Tool::GeminiCli), format!("{result}\n").as_bytes())?;
            // The API has the same words for a minute's limit and for a day's. It repeats only the minute's.
            let is_minute = said.kind == Kind::QuotaExhausted;
            Some(if is_minute { Observation { kind: Kind::RateLimited, rule: REPEATED, ..said } } else { said })
        }
        Program::Codex | Program::ClaudeCode => None,
    }
}

/// The last thing that whole lines say.
fn read(form: Form, bytes: &[u8]) -> Option<Observation> {
    let mut reader = Reader::new(form, &Seen::default())?;
    let (mut lines, mut out) = (Lines::default(), Vec::new());
    lines.feed(bytes, &mut reader, &mut out);
    reader.settle(&mut out);
    out.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(program: Program, stdout: &str, stderr: &str) -> [Option<Kind>; 2] {
        [decided, ended].map(|read| read(program, stdout.as_bytes(), stderr.as_bytes()).map(|said| said.kind))
    }

    const STARTED: &str = "{\"type\":\"thread.started\",\"thread_id\":\"x\"}\n{\"type\":\"turn.started\"}\n";

    #[test]
    fn codex_is_decided_by_an_answer_or_the_turns_end_and_not_by_a_retry() {
        let read = |lines: &str| kinds(Program::Codex, &format!("{STARTED}{lines}"), "");
        let answer = "{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"OK\"}}\n";
        assert_eq!(read(answer), [Some(Kind::Available); 2]);
        let retry =
            "{\"type\":\"error\",\"message\":\"Reconnecting... 1/5 (unexpected status 503 Service Unavailable)\"}\n";
        assert_eq!(read(retry), [None, Some(Kind::ServerError)]);
        let failed = "{\"type\":\"turn.failed\",\"error\":{\"message\":\"Selected model is at capacity. Please try a different model.\"}}\n";
        assert_eq!(read(&format!("{retry}{failed}")), [Some(Kind::AtCapacity); 2]);
        assert_eq!(read(answer.trim_end()), [None, None], "a line without an end may be half of one");
        assert_eq!(read(""), [None, None]);
    }

    /// As Gemini CLI 0.61 and opencode 1.18 print them while they go on repeating.
    #[test]
    fn tools_that_repeat_without_end_are_decided_by_their_first_complaint() {
        let gemini = "Attempt 1 failed with status 503. Retrying with backoff... _ApiError: {\"error\":{\"code\":503,\"message\":\"The model is overloaded. Please try again later.\",\"status\":\"UNAVAILABLE\"}}\n    at throwErrorIfNotOK (file:///x.js:1:1)\n";
        let init =
            "{\"type\":\"init\",\"timestamp\":\"2026-11-29T19:52:42.001Z\",\"session_id\":\"e\",\"model\":\"m\"}\n";
        assert_eq!(kinds(Program::GeminiCli, init, gemini), [Some(Kind::AtCapacity); 2]);
        let minute = "Attempt 1 failed: You exceeded your current quota, please check your plan and billing details.\nSuggested retry after 20s.. Retrying after 21073ms...\n";
        assert_eq!(kinds(Program::GeminiCli, init, minute), [Some(Kind::RateLimited); 2]);
        let plan = "Attempt 1 failed: You have exhausted your capacity on this model. Your quota will reset after 3h51m12s.. Retrying after 13989007ms...\n";
        assert_eq!(kinds(Program::GeminiCli, init, plan), [Some(Kind::UsageLimit); 2]);
        assert_eq!(kinds(Program::GeminiCli, init, "Warning: 256-color support not detected.\n"), [None; 2]);
        let opencode = "timestamp=2026-11-29T19:52:11.297Z level=ERROR run=6e message=\"Failed to fetch models.dev\" cause=\"Unable to connect\"\n\
            timestamp=2026-11-29T19:52:14.023Z level=ERROR run=6e message=\"stream error\" providerID=p modelID=m error.error=\"AI_APICallError: Overloaded\"\n";
        assert_eq!(kinds(Program::Opencode, "", opencode), [Some(Kind::AtCapacity); 2]);
        let odd = "timestamp=2026-11-29T19:52:14.023Z level=ERROR run=6e message=\"stream error\" providerID=p modelID=m error.error=\"AI_APICallError: Country, region, or territory not supported\"\n";
        assert_eq!(kinds(Program::Opencode, "", odd), [None, Some(Kind::Unrecognized)]);
        let end = "{\"type\":\"error\",\"sessionID\":\"s\",\"error\":{\"name\":\"APIError\",\"data\":{\"message\":\"no\",\"statusCode\":403}}}\n";
        assert_eq!(kinds(Program::Opencode, end, odd), [Some(Kind::Forbidden); 2]);
    }

    /// The words of real tools at the end of a run against a loopback provider whose answer is named first.
    #[test]
    fn the_words_of_real_tools_are_understood() {
        let codex = |text: &str| (Program::Codex, json!({"type": "turn.failed", "error": {"message": text}}));
        let claude = |text: &str| {
            (
                Program::ClaudeCode,
                json!({"type": "result", "subtype": "success", "is_error": true, "session_id": "x", "result": text}),
            )
        };
        let gemini =
            |text: &str| (Program::GeminiCli, json!({"type": "result", "status": "error", "error": {"message": text}}));
        let cases = [
            (
                "overloaded-503, 0.77",
                codex(
                    r#"unexpected status 503 Service Unavailable: {"error":{"message":"The requested model does not have enough capacity to process your request at the moment.","code":"server_is_overloaded"}}"#,
                ),
                Kind::AtCapacity,
            ),
            (
                "overloaded-529, 0.171",
                codex(
                    "unexpected status 529 <unknown status code>: 该模型当前访问量过大，请您稍后再试, url: http://127.0.0.1:1/v1/responses",
                ),
                Kind::AtCapacity,
            ),
            ("error-500, 0.77", codex("unexpected status 500 Internal Server Error: {}"), Kind::ServerError),
            ("rate-429, 0.145", codex("exceeded retry limit, last status: 429 Too Many Requests"), Kind::RateLimited),
            ("quota-429, 0.171", codex("Quota exceeded. Check your plan and billing details."), Kind::QuotaExhausted),
            ("unauthorized-401, 1.0 and 2.0", claude("Invalid API key · Fix external API key"), Kind::Auth),
            ("cut-before-output, 1.0 and 2.0", claude("API Error: terminated"), Kind::Network),
            (
                "cut-before-output, 2.1",
                claude(
                    "API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.",
                ),
                Kind::Network,
            ),
            (
                "error-in-200-stream, 2.0",
                (
                    Program::ClaudeCode,
                    json!({"type": "result", "subtype": "error_during_execution", "is_error": false, "session_id": "x"}),
                ),
                Kind::Unrecognized,
            ),
            (
                "overloaded-503, 1.0",
                claude(r#"API Error: 503 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
                Kind::AtCapacity,
            ),
            ("cut-before-output, 0.61", gemini("[API Error: terminated]"), Kind::Network),
            (
                "quota-429, 0.61",
                gemini(
                    "[API Error: You have exhausted your daily quota on this model.]\nPlease wait and try again later.",
                ),
                Kind::UsageLimit,
            ),
        ];
        for (case, (program, line), kind) in cases {
            let said = ended(program, format!("{line}\n").as_bytes(), b"");
            assert_eq!(said.map(|said| said.kind), Some(kind), "{case}");
        }
        let opencode = [
            ("error.error=\"AI_APICallError: 该模型当前访问量过大，请您稍后再试\"", Kind::AtCapacity),
            (
                "error.error=\"AI_APICallError: The requested model does not have enough capacity to process your request at the moment. Please try again later.\"",
                Kind::AtCapacity,
            ),
            (
                "error.error.code=502 error.error.message=\"ResourceExhausted: Worker local total request limit reached (33/32)\"",
                Kind::AtCapacity,
            ),
            (
                "error.error=\"AI_APICallError: The server had an error while processing your request. Sorry about that!\"",
                Kind::ServerError,
            ),
            (
                "error.error=\"AI_APICallError: Cannot connect to API: The socket connection was closed unexpectedly.\"",
                Kind::Network,
            ),
            ("error.error=\"AI_APICallError: Incorrect API key provided: sk-loop****back.\"", Kind::Auth),
        ];
        for (error, kind) in opencode {
            let line = format!(
                "timestamp=2026-11-29T19:51:45.079Z level=ERROR run=2 message=\"stream error\" providerID=p modelID=m {error}\n"
            );
            let said = ended(Program::Opencode, b"", line.as_bytes());
            assert_eq!(said.map(|said| said.kind), Some(kind), "{error}");
        }
    }

    #[test]
    fn a_verdict_keeps_no_word_of_the_tool_and_a_silent_run_is_no_fault_of_the_model() {
        let limit = "{\"type\":\"result\",\"session_id\":\"x\",\"is_error\":true,\"result\":\"You've hit your session limit · resets 3pm SECRET\"}\n";
        let said = ended(Program::ClaudeCode, limit.as_bytes(), b"").unwrap();
        let verdict = outcome(&said, jiff::Timestamp::UNIX_EPOCH);
        assert_eq!((verdict.kind, verdict.scope), (Kind::UsageLimit, Scope::Account));
        assert!(!format!("{said:?}{verdict:?}").contains("SECRET"));
        let silent = silent();
        assert_eq!(crate::core::outcome::Family::of(silent.kind, silent.scope), crate::core::outcome::Family::Unknown);
    }
}
