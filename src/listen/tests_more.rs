//! Cases of our own: other versions, other orders, other tools.

use super::*;

/// `ts kind model provider latency` of each observation, absent ones as `-`; times without their date.
pub(super) fn told(bytes: &str, tool: Option<Tool>) -> Vec<String> {
    let text = |name: &Option<Name>| name.as_ref().map_or("-".to_owned(), |name| name.as_str().to_owned());
    read(bytes.as_bytes(), tool, &Seen::default())
        .iter()
        .map(|one| {
            let at = one.ts.map_or("-".to_owned(), |ts| format!("{ts:.0}")[11..19].to_owned());
            let latency = one.latency_ms.map_or("-".to_owned(), |ms| ms.to_string());
            format!("{at} {} {} {} {latency}", one.kind, text(&one.model), text(&one.provider))
        })
        .collect()
}

pub(super) const OWN: &str = "01a19bc1-50a0-7002-8002-000000000002";
pub(super) const OLDER: &str = "01a19000-0000-7002-8002-000000000001";

pub(super) fn codex(second: u32, kind: &str, payload: &str) -> String {
    format!("{{\"timestamp\":\"2026-11-02T10:15:{second:02}.000Z\",\"type\":\"{kind}\",\"payload\":{payload}}}\n")
}

pub(super) fn meta() -> String {
    codex(0, "session_meta", &format!("{{\"id\":\"{OWN}\",\"model_provider\":\"relay\"}}"))
}

pub(super) fn turn(second: u32, id: &str, model: &str) -> String {
    codex(second, "event_msg", &format!("{{\"type\":\"task_started\",\"turn_id\":\"{id}\"}}"))
        + &codex(second, "turn_context", &format!("{{\"turn_id\":\"{id}\",\"model\":\"{model}\"}}"))
}

pub(super) fn tokens(second: u32, total: u64, last: u64) -> String {
    codex(
        second,
        "event_msg",
        &format!(
            "{{\"type\":\"token_count\",\"info\":{{\"total_token_usage\":{{\"output_tokens\":{total}}},\"last_token_usage\":{{\"output_tokens\":{last}}}}}}}"
        ),
    )
}

pub(super) fn complete(second: u32, id: &str, rest: &str) -> String {
    codex(second, "event_msg", &format!("{{\"type\":\"task_complete\",\"turn_id\":\"{id}\"{rest}}}"))
}

pub(super) fn id(number: u32) -> String {
    format!("01a19bc2-0000-7000-8000-{number:012}")
}

#[test]
fn codex_forks_do_not_count_their_parents_turns() {
    let text = meta()
        + &codex(1, "session_meta", &format!("{{\"id\":\"{OLDER}\",\"model_provider\":\"other\"}}"))
        + &turn(1, OLDER, "old")
        + &tokens(1, 50, 50)
        + &complete(1, OLDER, ",\"last_agent_message\":\"x\",\"time_to_first_token_ms\":5")
        + &turn(2, &id(1), "new")
        // Repeated with the parent's sum, then really grown.
        + &tokens(2, 50, 50)
        + &tokens(3, 80, 30)
        + &complete(3, &id(1), ",\"last_agent_message\":\"x\",\"time_to_first_token_ms\":9");
    assert_eq!(told(&text, None), ["10:15:03 available new relay 9"]);
}

#[test]
fn codex_counts_after_its_sum_was_set_back_by_an_overflow() {
    let text = meta()
        + &turn(1, &id(1), "m")
        + &tokens(1, 200, 200)
        + &tokens(2, 0, 0)
        + &tokens(3, 40, 40)
        + &complete(4, &id(1), ",\"last_agent_message\":\"x\"");
    assert_eq!(told(&text, None), ["10:15:01 available m relay -", "10:15:03 available m relay -"]);
}

#[test]
fn codex_extended_mode_tells_an_error_once() {
    let error = "{\"type\":\"error\",\"message\":\"x\",\"codex_error_info\":\"server_overloaded\"}";
    let text = meta()
        + &turn(1, &id(1), "m")
        + &codex(2, "event_msg", error)
        + &complete(
            3,
            &id(1),
            ",\"last_agent_message\":null,\"error\":{\"message\":\"x\",\"codex_error_info\":\"server_overloaded\"}",
        )
        + &turn(4, &id(2), "m")
        + &codex(5, "event_msg", error)
        + &complete(6, &id(2), ",\"last_agent_message\":null");
    assert_eq!(told(&text, None), ["10:15:02 at_capacity m relay -", "10:15:05 at_capacity m relay -"]);
}

#[test]
fn codex_errors_of_every_spelling() {
    let kinds = [
        ("{\"codexErrorInfo\":\"serverOverloaded\",\"message\":\"\"}", "at_capacity"),
        ("{\"codex_error_info\":{\"responseTooManyFailedAttempts\":{\"httpStatusCode\":429}}}", "rate_limited"),
        ("{\"codex_error_info\":{\"http_connection_failed\":{\"http_status_code\":\"401\"}}}", "auth"),
        ("{\"codex_error_info\":{\"http_connection_failed\":{\"http_status_code\":null}}}", "network"),
        ("{\"codex_error_info\":\"flex_unavailable\"}", "at_capacity"),
        ("{\"codex_error_info\":\"bio_policy\",\"message\":\"x\"}", "content_filtered"),
        (
            "{\"codex_error_info\":{\"brand_new\":{\"a\":[1]}},\"message\":\"Selected model is at capacity. x\"}",
            "at_capacity",
        ),
        ("{\"codex_error_info\":7,\"message\":\"unexpected status 502 Bad Gateway: x 401\"}", "server_error"),
        ("\"You’ve hit your usage limit. Try again\"", "usage_limit"),
        (
            "{\"codex_error_info\":\"other\",\"message\":\"{\\\"type\\\":\\\"error\\\",\\\"error\\\":{\\\"message\\\":\\\"The 'x' model is not supported when using Codex with a ChatGPT account.\\\"}}\"}",
            "model_not_found",
        ),
        (
            "{\"codex_error_info\":\"other\",\"message\":\"stream disconnected before completion: The servers are currently overloaded.\"}",
            "at_capacity",
        ),
        ("{}", "unrecognized"),
    ];
    for (error, kind) in kinds {
        let text = meta()
            + &turn(1, &id(1), "m")
            + &complete(2, &id(1), &format!(",\"last_agent_message\":null,\"error\":{error}"));
        assert_eq!(told(&text, None), [format!("10:15:02 {kind} m relay -")], "{error}");
    }
    for local in ["sandbox_error", "session_budget_exceeded", "too_many_denials", "thread_rollback_failed"] {
        let text = meta()
            + &turn(1, &id(1), "m")
            + &complete(
                2,
                &id(1),
                &format!(",\"last_agent_message\":null,\"error\":{{\"codex_error_info\":\"{local}\"}}"),
            );
        assert!(told(&text, None).is_empty(), "{local}");
    }
}

#[test]
fn codex_lines_in_another_order_and_spacing() {
    let text = "{ \"type\": \"session_meta\", \"payload\": {\"model_provider\": \"openai\", \"id\": \"x\"}, \"timestamp\": \"2026-11-02T10:15:00Z\" }\n\
        {\"payload\":{\"model\":\"m\",\"turn_id\":\"t\"},\"type\":\"turn_context\",\"timestamp\":\"2026-11-02T10:15:01Z\"}\n\
        {\"payload\":{\"error\":{\"codex_error_info\":\"server_overloaded\",\"message\":\"\"},\"turn_id\":\"t\",\"type\":\"task_complete\"},\"ordinal\":\"9\",\"type\":\"event_msg\",\"timestamp\":\"2026-11-02T12:15:02+02:00\"}\n";
    assert_eq!(told(text, None), ["10:15:02 at_capacity m openai -"]);
}

#[test]
fn codex_windows_of_the_subscription_are_known() {
    let limits = "{\"type\":\"token_count\",\"info\":null,\"rate_limits\":{\"limit_id\":\"codex\",\"primary\":{\"used_percent\":\"82\",\"window_minutes\":300,\"resets_at\":1793615002},\"secondary\":{\"used_percent\":12.5,\"window_minutes\":10080,\"resets_in_seconds\":60}}}";
    let mut reader = Reader::new(Form::CodexRollout, &Seen::default()).unwrap();
    let mut out = Vec::new();
    reader.line(codex(9, "event_msg", limits).trim().as_bytes(), &mut out);
    let limits: Vec<_> = reader
        .limits()
        .iter()
        .map(|limit| (limit.window_minutes, limit.used_percent, limit.resets_at.unwrap().as_second()))
        .collect();
    assert_eq!(
        limits,
        [
            (Some(300), 82.0, 1_793_615_002),
            (Some(10_080), 12.5, "2026-11-02T10:16:09Z".parse::<jiff::Timestamp>().unwrap().as_second())
        ]
    );
}

pub(super) fn claude(second: u32, rest: &str) -> String {
    format!(
        "{{\"parentUuid\":null,\"isSidechain\":false,{rest},\"uuid\":\"u\",\"timestamp\":\"2026-11-05T09:00:{second:02}.000Z\",\"sessionId\":\"s\",\"version\":\"2.1.197\"}}\n"
    )
}

pub(super) fn answer(second: u32, id: &str, request: &str) -> String {
    let request = if request.is_empty() { String::new() } else { format!(",\"requestId\":\"{request}\"") };
    claude(
        second,
        &format!(
            "\"message\":{{\"id\":\"{id}\",\"model\":\"opus\",\"stop_reason\":null,\"content\":[]}}{request},\"type\":\"assistant\""
        ),
    )
}

#[test]
fn claude_answers_count_once_also_in_copies_and_without_ids() {
    let user = claude(5, "\"type\":\"user\",\"message\":{\"content\":\"x\"}");
    let text = answer(1, "a", "r1") + &answer(2, "b", "r2") + &answer(3, "a", "r1");
    assert_eq!(told(&text, None).len(), 2, "a resumed copy repeats the first");
    let text = answer(1, "same", "") + &answer(2, "same", "") + &user + &answer(6, "same", "");
    assert_eq!(told(&text, None), ["09:00:01 available opus - -", "09:00:06 available opus - -"]);
    let seen = Seen::default();
    let copies: Vec<_> = [answer(1, "a", "r1"), answer(9, "a", "r1")]
        .iter()
        .map(|text| read(text.as_bytes(), None, &seen).len())
        .collect();
    assert_eq!(copies, [1, 0], "across files");
}

#[test]
fn claude_errors_of_every_version() {
    let kinds = [
        ("\"apiErrorStatus\":529", "x", "at_capacity"),
        ("\"apiErrorStatus\":\"500\",\"error\":\"server_error\"", "API Error: 500 Overloaded", "at_capacity"),
        (
            "\"error\":\"unknown\"",
            "API Error: 500 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"x\"}}",
            "at_capacity",
        ),
        ("\"error\":\"rate_limit\"", "You've hit your weekly limit · resets Oct 3", "usage_limit"),
        ("\"error\":\"rate_limit\"", "API Error: Rate limited", "rate_limited"),
        ("\"error\":\"authentication_failed\",\"apiErrorStatus\":401", "Please run /login", "auth"),
        ("\"apiErrorStatus\":413", "Prompt too long", "bad_request"),
        ("\"apiErrorStatus\":504", "x", "server_error"),
        ("\"apiError\":\"connection_failed\",\"error\":\"server_error\"", "API Error: Connection refused", "network"),
        ("\"error\":\"max_output_tokens\"", "API Error: too long", "unrecognized"),
    ];
    for (fields, text, kind) in kinds {
        let text = serde_json::to_string(text).unwrap();
        let row = claude(
            1,
            &format!(
                "\"type\":\"assistant\",\"message\":{{\"model\":\"<synthetic>\",\"content\":[{{\"type\":\"text\",\"text\":{text}}}]}},{fields},\"isApiErrorMessage\":true"
            ),
        );
        assert_eq!(told(&row, None), [format!("09:00:01 {kind} - - -")], "{fields}");
    }
    let reached = "\"type\":\"assistant\",\"message\":{\"model\":\"<synthetic>\",\"content\":[{\"text\":\"Claude AI usage limit reached|1793986000\"}]},\"isApiErrorMessage\":true";
    let observations = read(claude(1, reached).as_bytes(), None, &Seen::default());
    assert_eq!(observations[0].resets_at.unwrap().as_second(), 1_793_986_000);
    assert_eq!(
        sample(&observations[0], "t".into()).unwrap().retry_after_s,
        Some(1_793_986_000 - observations[0].ts.unwrap().as_second() as u32)
    );
}

#[test]
fn other_tools_rows() {
    let gemini = "{\"messages\":[{\"id\":\"1\",\"timestamp\":\"2026-11-20T10:00:02.000Z\",\"type\":\"gemini\",\"model\":\"gemini-3-pro\",\"content\":\"x\"},{\"id\":\"2\",\"timestamp\":\"2026-11-20T10:00:04.000Z\",\"type\":\"error\",\"content\":\"[API Error: You exceeded your current quota (429)]\"},{\"id\":\"3\",\"timestamp\":\"2026-11-20T10:00:05.000Z\",\"type\":\"info\",\"content\":\"[API Error: x]\"}],\"sessionId\":\"s\",\"projectHash\":\"p\"}";
    assert_eq!(
        told(gemini, None),
        ["10:00:02 available gemini-3-pro - -", "10:00:04 quota_exhausted gemini-3-pro - -"]
    );
    let log = "timestamp=2026-08-15T22:01:13.530Z level=ERROR run=4a message=\"stream error\" providerID=anthropic modelID=opus session.id=ses error.error=\"AI_APICallError: Overloaded\"\n\
               timestamp=2026-08-15T22:01:14.530Z level=INFO run=4a message=\"stream error\" providerID=anthropic\n\
               timestamp=2026-08-15T22:01:19.399Z level=ERROR message=\"stream error\" providerID=opencode modelID=big error.error=\"AI_RetryError: Failed after 3 attempts. Last error: Rate limit exceeded. \\\"x\\\"\"\n";
    assert_eq!(told(log, None), ["22:01:13 at_capacity opus anthropic -", "22:01:19 rate_limited big opencode -"]);
    let aider = "{\"event\": \"launched\", \"properties\": {}, \"time\": 1793600000}\n\
                 {\"event\": \"message_send\", \"properties\": {\"main_model\": \"m\"}, \"time\": 1793600001}\n\
                 {\"event\": \"message_send_exception\", \"properties\": {\"exception\": \"litellm.RateLimitError: rate limit\"}, \"time\": 1793600002}\n";
    assert_eq!(told(aider, None), ["06:13:21 available m - -", "06:13:22 rate_limited - - -"]);
    let cline = "[{\"ts\":1793600101000,\"type\":\"say\",\"say\":\"api_req_started\",\"text\":\"{\\\"streamingFailedMessage\\\":\\\"{\\\\\\\"message\\\\\\\":\\\\\\\"Overloaded\\\\\\\",\\\\\\\"status\\\\\\\":529,\\\\\\\"modelId\\\\\\\":\\\\\\\"m\\\\\\\",\\\\\\\"providerId\\\\\\\":\\\\\\\"p\\\\\\\"}\\\"}\"},{\"ts\":1793600102000,\"type\":\"ask\",\"ask\":\"api_req_failed\",\"text\":\"Overloaded\"}]";
    assert_eq!(told(cline, None), ["06:15:01 at_capacity m p -"]);
}

#[test]
fn other_tools_answers_to_one_question() {
    let gemini =
        "{\"type\":\"init\",\"timestamp\":\"2026-11-20T10:00:00Z\",\"session_id\":\"s\",\"model\":\"gemini-3-pro\"}\n";
    let failed = "{\"type\":\"result\",\"timestamp\":\"x\",\"status\":\"error\",\"error\":{\"type\":\"Error\",\"message\":\"[API Error: No capacity available for model gemini-3-pro on the server]\"}}\n";
    let good = "{\"type\":\"result\",\"timestamp\":\"x\",\"status\":\"success\",\"stats\":{}}\n";
    assert_eq!(told(&format!("{gemini}{failed}"), None), ["- at_capacity gemini-3-pro - -"]);
    assert_eq!(told(&format!("{gemini}{good}"), None), ["- available gemini-3-pro - -"]);
    let opencode = "{\"type\":\"step_start\",\"timestamp\":1,\"sessionID\":\"s\"}\n";
    let failed = "{\"type\":\"error\",\"timestamp\":1,\"sessionID\":\"s\",\"error\":{\"name\":\"APIError\",\"data\":{\"statusCode\":401,\"message\":\"x\"}}}\n";
    assert_eq!(told(&format!("{opencode}{failed}"), None), ["- auth - - -"]);
    assert_eq!(
        told(&format!("{opencode}{{\"type\":\"step_finish\",\"sessionID\":\"s\"}}\n"), None),
        ["- available - - -"]
    );
    let waiting = "{\"type\":\"thread.started\",\"thread_id\":\"x\"}\n{\"type\":\"error\",\"message\":\"Reconnecting... waiting for network\"}\n";
    assert_eq!(told(waiting, None), ["- network - - -"]);
}

#[test]
fn pages_of_other_makes() {
    let pages = |text: &str| -> Vec<String> {
        let told = read(text.as_bytes(), Some(Tool::StatusPage), &Seen::default());
        told.iter()
            .map(|one| {
                format!(
                    "{} {} {}",
                    one.component.as_ref().unwrap().name,
                    one.component.as_ref().unwrap().status,
                    one.kind
                )
            })
            .collect()
    };
    assert_eq!(
        pages(
            "{\"page\":{\"updated_at\":\"x\"},\"components\":[{\"name\":\"A\",\"status\":\"strange\"},{\"name\":\"G\",\"group\":true,\"status\":\"operational\"}]}"
        ),
        ["A strange unrecognized"]
    );
    assert!(pages("{\"page\":{},\"components\":[]}").is_empty());
    assert!(pages("<!doctype html><html><title>Status</title></html>").is_empty());
    assert_eq!(
        pages(
            "{\"ongoing_incidents\":[{\"affected_components\":[{\"name\":\"API\",\"current_status\":\"full_outage\"}]}]}"
        ),
        ["API full_outage server_error"]
    );
    assert_eq!(
        pages(
            "[{\"begin\":\"2026-11-20T10:00:00Z\",\"most_recent_update\":{\"status\":\"SERVICE_DISRUPTION\"},\"affected_products\":[{\"title\":\"Vertex Gemini API\"}]},{\"end\":\"2026-11-20T10:00:00Z\",\"affected_products\":[{\"title\":\"Old\"}]}]"
        ),
        ["Vertex Gemini API SERVICE_DISRUPTION server_error"]
    );
    assert_eq!(
        pages(
            "{\"data\":{\"type\":\"status_page\",\"attributes\":{\"company_name\":\"T\",\"aggregate_state\":\"degraded\"}},\"included\":[{\"type\":\"status_page_resource\",\"attributes\":{\"public_name\":\"Inference\",\"status\":\"operational\"}}]}"
        ),
        ["Inference operational available"]
    );
    let feed = "<?xml version=\"1.0\"?><rss><channel><title>xAI</title>\
        <item><title>[API (us-east-1.api.x.ai)] Errors</title><description><![CDATA[<b>Status:</b> RESOLVED]]></description><pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate></item>\
        <item><title>[API (us-east-1.api.x.ai)] Older</title><description>Status: INVESTIGATING</description></item>\
        <item><title>[Grok] Slow</title><description>Status: Investigating</description></item></channel></rss>";
    assert_eq!(pages(feed), ["API (us-east-1.api.x.ai) resolved available", "Grok investigating server_error"]);
    assert!(pages::Source::of("anthropic").unwrap().covers("claude api (api.anthropic.com)"));
    for source in pages::SOURCES {
        assert!(source.page.starts_with("https://") && source.url.is_empty() == (source.style == pages::Style::Link));
    }
}

#[test]
fn targets_of_a_subscription_are_others_than_those_of_a_key() {
    let of = |tool, provider: Option<&str>| {
        let mut one = Observation::new(tool, None, crate::core::outcome::Kind::Available, "r");
        (one.model, one.provider) = (Name::new("m"), provider.and_then(Name::new));
        place(&one).map(|place| place.target.as_str().to_owned())
    };
    assert_eq!(of(Tool::Codex, Some("openai")).unwrap(), "codex/m");
    assert_eq!(of(Tool::Codex, None).unwrap(), "codex/m");
    assert_eq!(of(Tool::Codex, Some("my relay")).unwrap(), "my-relay/m");
    assert_eq!(of(Tool::ClaudeCode, None).unwrap(), "claude-code/m");
    assert_eq!(of(Tool::Opencode, Some("anthropic")).unwrap(), "anthropic/m");
    assert_eq!(of(Tool::StatusPage, Some("x")), None);
}
