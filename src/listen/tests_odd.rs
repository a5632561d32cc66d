//! Logs as they should not be: torn, doubled, copied, out of order, with fields missing or of other types.

use super::tests_more::{OLDER, OWN, answer, claude, codex, complete, id, meta, tokens, told, turn};
use super::*;

const REASON: &str =
    ",\"last_agent_message\":null,\"error\":{\"message\":\"x\",\"codex_error_info\":\"server_overloaded\"}";
const PLAIN_429: &str = ",\"last_agent_message\":null,\"error\":{\"message\":\"exceeded retry limit, last status: 429 Too Many Requests\",\"codex_error_info\":{\"response_too_many_failed_attempts\":{\"http_status_code\":429}}}";

fn windows(second: u32, used: f32, reached: &str) -> String {
    codex(
        second,
        "event_msg",
        &format!(
            "{{\"type\":\"token_count\",\"info\":null,\"rate_limits\":{{\"primary\":{{\"used_percent\":{used},\"window_minutes\":300,\"resets_at\":1795968000}},\"rate_limit_reached_type\":{reached}}}}}"
        ),
    )
}

#[test]
fn codex_in_every_odd_order() {
    let silent = ",\"last_agent_message\":null";
    let fine = ",\"last_agent_message\":\"x\"";
    let event = |second, kind: &str| codex(second, "event_msg", &format!("{{\"type\":\"{kind}\"}}"));
    let aborted = |second, turn: &str| {
        codex(
            second,
            "event_msg",
            &format!("{{\"type\":\"turn_aborted\",\"turn_id\":\"{turn}\",\"reason\":\"interrupted\"}}"),
        )
    };
    let huge = format!(",\"last_agent_message\":\"{}\"", "x".repeat(LONGEST_LINE));
    let torn = complete(3, &id(1), REASON);
    let cases: Vec<(&str, String, Vec<&str>)> = vec![
        (
            "a turn that ends twice",
            turn(1, &id(1), "m") + &complete(2, &id(1), REASON) + &complete(3, &id(1), REASON),
            vec!["10:15:02 at_capacity m relay -"],
        ),
        (
            "a retry within the turn, then an answer",
            turn(1, &id(1), "m")
                + &codex(2, "turn_context", &format!("{{\"turn_id\":\"{}\",\"model\":\"m\"}}", id(1)))
                + &tokens(3, 9, 9)
                + &complete(4, &id(1), ",\"last_agent_message\":\"x\",\"time_to_first_token_ms\":5"),
            vec!["10:15:03 available m relay 5"],
        ),
        (
            "answers before the failure of the same turn",
            turn(1, &id(1), "m") + &tokens(2, 9, 9) + &tokens(3, 20, 11) + &complete(4, &id(1), REASON),
            vec!["10:15:02 available m relay -", "10:15:03 available m relay -", "10:15:04 at_capacity m relay -"],
        ),
        (
            "a turn the user stopped",
            turn(1, &id(1), "m") + &tokens(2, 9, 9) + &aborted(3, &id(1)),
            vec!["10:15:02 available m relay -"],
        ),
        ("one that was stopped before an answer", turn(1, &id(1), "m") + &aborted(2, &id(1)), vec![]),
        (
            "the next turn begins without an end of the one before",
            turn(1, &id(1), "a") + &tokens(2, 9, 9) + &turn(3, &id(2), "b") + &complete(4, &id(2), REASON),
            vec!["10:15:02 available a relay -", "10:15:04 at_capacity b relay -"],
        ),
        (
            "an end that comes after the next beginning",
            turn(1, &id(1), "m")
                + &turn(2, &id(2), "m")
                + &tokens(3, 9, 9)
                + &complete(4, &id(1), REASON)
                + &complete(5, &id(2), fine),
            vec!["10:15:03 available m relay -", "10:15:04 at_capacity m relay -"],
        ),
        ("silent", turn(1, &id(1), "m") + &complete(2, &id(1), silent), vec!["10:15:02 unrecognized m relay -"]),
        (
            "silent at a used-up window",
            turn(1, &id(1), "m") + &windows(2, 100.0, "null") + &complete(3, &id(1), silent),
            vec!["10:15:03 usage_limit m relay -"],
        ),
        (
            "silent, and the limit is named alone",
            turn(1, &id(1), "m") + &windows(2, 12.0, "\"primary\"") + &complete(3, &id(1), silent),
            vec!["10:15:03 usage_limit m relay -"],
        ),
        (
            "silent, a turn after the used-up window",
            turn(1, &id(1), "m")
                + &windows(2, 100.0, "null")
                + &complete(3, &id(1), fine)
                + &turn(4, &id(2), "m")
                + &complete(5, &id(2), silent),
            vec!["10:15:05 unrecognized m relay -"],
        ),
        (
            "a plain 429",
            turn(1, &id(1), "m") + &windows(2, 99.0, "null") + &complete(3, &id(1), PLAIN_429),
            vec!["10:15:03 rate_limited m relay -"],
        ),
        (
            "a plain 429 at a used-up window",
            turn(1, &id(1), "m") + &windows(2, 100.0, "null") + &complete(3, &id(1), PLAIN_429),
            vec!["10:15:03 usage_limit m relay -"],
        ),
        (
            "an overload at a used-up window",
            turn(1, &id(1), "m") + &windows(2, 100.0, "null") + &complete(3, &id(1), REASON),
            vec!["10:15:03 at_capacity m relay -"],
        ),
        (
            "a copied turn with a new time, its model and its failure",
            turn(1, OLDER, "old") + &complete(2, OLDER, REASON) + &turn(3, &id(1), "m") + &complete(4, &id(1), REASON),
            vec!["10:15:04 at_capacity m relay -"],
        ),
        (
            "ids in capitals are the same ids",
            turn(1, &id(1).to_uppercase(), "m")
                + &complete(2, &id(1), REASON)
                + &turn(3, &OLDER.to_uppercase(), "old")
                + &complete(4, OLDER, REASON),
            vec!["10:15:02 at_capacity m relay -"],
        ),
        (
            "ids of another form tell nothing of copies",
            turn(1, "turn-1", "m") + &complete(2, "turn-1", REASON),
            vec!["10:15:02 at_capacity m relay -"],
        ),
        (
            "an end without a beginning",
            complete(2, &id(1), silent) + &complete(3, &id(2), REASON),
            vec!["10:15:03 at_capacity - relay -"],
        ),
        (
            "a last message that is too long to be read",
            turn(1, &id(1), "m")
                + &tokens(2, 9, 9)
                + &complete(3, &id(1), &huge)
                + &turn(4, &id(2), "m")
                + &complete(5, &id(2), REASON),
            vec!["10:15:02 available m relay -", "10:15:05 at_capacity m relay -"],
        ),
        (
            "a torn line with the next one glued on",
            turn(1, &id(1), "m") + &torn[..torn.len() - 30] + &turn(4, &id(2), "m") + &complete(5, &id(2), REASON),
            vec!["10:15:05 at_capacity m relay -"],
        ),
        (
            "events of another year",
            turn(1, &id(1), "m")
                + &event(2, "brand_new")
                + &codex(2, "brand_new", "{\"model\":\"no\"}")
                + &codex(2, "event_msg", "null")
                + &codex(2, "event_msg", "[]")
                + &codex(2, "turn_context", "\"m2\"")
                + &complete(3, &id(1), REASON),
            vec!["10:15:03 at_capacity m relay -"],
        ),
        (
            "a clock that was set back",
            turn(30, &id(1), "m") + &tokens(31, 9, 9) + &tokens(5, 12, 3) + &complete(6, &id(1), fine),
            vec!["10:15:31 available m relay -", "10:15:05 available m relay -"],
        ),
        (
            "a model that the settings name, and one that they take away",
            codex(
                1,
                "event_msg",
                "{\"type\":\"thread_settings_applied\",\"thread_settings\":{\"model\":\"s\",\"model_provider_id\":\"p\"}}",
            ) + &codex(1, "turn_context", &format!("{{\"turn_id\":\"{}\",\"model\":null}}", id(1)))
                + &complete(2, &id(1), REASON),
            vec!["10:15:02 at_capacity s p -"],
        ),
        (
            "numbers as texts and fractions",
            turn(1, &id(1), "m")
                + &codex(
                    2,
                    "event_msg",
                    "{\"type\":\"token_count\",\"info\":{\"total_token_usage\":{\"output_tokens\":\"9\"},\"last_token_usage\":{\"output_tokens\":9.0}}}",
                )
                + &complete(3, &id(1), fine),
            vec!["10:15:02 available m relay -"],
        ),
    ];
    for (what, text, expected) in cases {
        assert_eq!(told(&(meta() + &text), None), expected, "{what}");
    }
}

#[test]
fn codex_without_its_first_line_or_with_times_of_other_forms() {
    let text = turn(1, &id(1), "m") + &complete(2, &id(1), REASON);
    assert_eq!(told(&text, None), ["10:15:02 at_capacity m - -"]);
    for (time, expected) in [
        ("2026-11-02T12:15:02+02:00", "10:15:02 at_capacity m relay -"),
        ("2026-11-02T10:15:02.123456789Z", "10:15:02 at_capacity m relay -"),
        ("yesterday", "- at_capacity m relay -"),
    ] {
        let text = meta() + &text.replace("2026-11-02T10:15:02.000Z", time);
        assert_eq!(told(&text, None), [expected], "{time}");
    }
    // A session that was resumed by another version: a second head in the middle.
    let text = meta()
        + &text
        + &codex(3, "session_meta", &format!("{{\"id\":\"{OWN}\",\"model_provider\":\"late\"}}"))
        + &turn(4, &id(2), "n")
        + &complete(5, &id(2), REASON);
    assert_eq!(told(&text, None), ["10:15:02 at_capacity m relay -", "10:15:05 at_capacity n relay -"]);
}

#[test]
fn claude_in_every_odd_order() {
    let user = |second| {
        claude(
            second,
            "\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"\\\"isApiErrorMessage\\\":true Overloaded\"}",
        )
    };
    let failed = |second, rest: &str, text: &str| {
        claude(
            second,
            &format!(
                "\"type\":\"assistant\",\"isApiErrorMessage\":true,\"message\":{{\"model\":\"<synthetic>\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}{rest}"
            ),
        )
    };
    let retry = |second, rest: &str| {
        claude(second, &format!("\"type\":\"system\",\"subtype\":\"api_error\",\"retryAttempt\":1,\"error\":{rest}"))
    };
    let request = |second, id: &str, model: &str| {
        claude(second, &format!("\"type\":\"api-request\",\"id\":\"{id}\",\"params\":{{\"model\":\"{model}\"}}"))
    };
    let cases: Vec<(&str, String, Vec<&str>)> = vec![
        (
            "retries, then an answer",
            request(0, "r1", "opus")
                + &retry(1, "{\"status\":529}")
                + &request(1, "r2", "opus")
                + &retry(2, "{\"status\":529}")
                + &answer(5, "m1", "q1"),
            vec!["09:00:01 at_capacity opus - -", "09:00:02 at_capacity opus - -", "09:00:05 available opus - -"],
        ),
        (
            "a failure before any model is named",
            retry(1, "{\"status\":500,\"message\":\"x\"}") + &failed(2, ",\"apiErrorStatus\":500", "API Error: 500"),
            vec!["09:00:01 server_error - - -", "09:00:02 server_error - - -"],
        ),
        (
            "the model of the request, not of the answer before",
            answer(1, "m1", "q1") + &request(2, "r", "haiku") + &failed(3, ",\"apiErrorStatus\":529", "x"),
            vec!["09:00:01 available opus - -", "09:00:03 at_capacity haiku - -"],
        ),
        ("what users write is content", user(1) + &user(2), vec![]),
        (
            "a refusal and the row that repeats it",
            claude(
                1,
                "\"type\":\"assistant\",\"requestId\":\"q\",\"message\":{\"id\":\"m\",\"model\":\"opus\",\"stop_reason\":\"refusal\"}",
            ) + &failed(2, "", "x").replace("\"<synthetic>\"", "\"<synthetic>\",\"stop_reason\":\"refusal\""),
            vec!["09:00:01 content_filtered opus - -"],
        ),
        (
            "made up, but no error",
            failed(1, "", "No response requested.").replace("\"isApiErrorMessage\":true,", ""),
            vec![],
        ),
        (
            "the word in a 400",
            failed(1, ",\"apiErrorStatus\":400", "API Error: 400 the tool is named Overloaded"),
            vec!["09:00:01 bad_request - - -"],
        ),
        (
            "a throttle of the provider",
            failed(
                1,
                ",\"apiErrorStatus\":429,\"error\":\"rate_limit\"",
                "Server is temporarily limiting requests (not your usage limit)",
            ),
            vec!["09:00:01 rate_limited - - -"],
        ),
        (
            "one request, many rows",
            answer(1, "m1", "q1") + &user(2) + &answer(3, "m1", "q1") + &answer(4, "m2", "q1"),
            vec!["09:00:01 available opus - -", "09:00:04 available opus - -"],
        ),
        (
            "a gateway without ids of requests",
            answer(1, "m1", "") + &answer(2, "m1", "") + &user(3) + &answer(4, "m1", ""),
            vec!["09:00:01 available opus - -", "09:00:04 available opus - -"],
        ),
        (
            "a request in the future of its answer",
            request(9, "r", "opus")
                + &answer(3, "m1", "q1").replace("\"requestId\"", "\"requestRef\":\"r\",\"requestId\""),
            vec!["09:00:03 available opus - -"],
        ),
        (
            "fields of other types",
            failed(1, ",\"apiErrorStatus\":\"529\",\"error\":7,\"apiError\":[1]", "x")
                + &retry(2, "\"overloaded\"")
                + &retry(3, "null"),
            vec!["09:00:01 at_capacity - - -", "09:00:02 at_capacity - - -"],
        ),
        (
            "a connection that broke has no status",
            retry(1, "{\"connection\":{\"code\":\"ECONNRESET\"},\"message\":\"Connection error.\"}")
                + &failed(2, ",\"apiError\":\"connection_failed\",\"error\":\"server_error\"", "API Error"),
            vec!["09:00:01 network - - -", "09:00:02 network - - -"],
        ),
    ];
    for (what, text, expected) in cases {
        assert_eq!(told(&text, Some(Tool::ClaudeCode)), expected, "{what}");
    }
}
