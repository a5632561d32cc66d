//! What must hold for any bytes, headers and statuses, not only for the corpora.

use std::sync::LazyLock;
use std::time::Duration;

use jiff::Timestamp;
use proptest::prelude::*;
use vacancy::core::classify::line::{self, Line};
use vacancy::core::classify::{Origin, RuleSet, UserRule, classify, table};
use vacancy::core::exchange::{End, Exchange, Failure, Phase};
use vacancy::core::outcome::{Kind, Outcome, Scope};
use vacancy::core::reply::ReplyReader;
use vacancy::core::target::Dialect;

const DEV: &str = include_str!("../fixtures/error-corpus/dev.jsonl");
const MORE: &str = include_str!("../fixtures/error-corpus/more.jsonl");

static CORPUS: LazyLock<Vec<Line>> =
    LazyLock::new(|| DEV.lines().chain(MORE.lines()).map(|text| line::parse(text.as_bytes()).unwrap()).collect());

fn origin(line: &Line) -> Origin<'_> {
    Origin { dialect: line.dialect, provider: line.provider.as_deref() }
}

fn any_end() -> impl Strategy<Value = End> {
    let phase = prop_oneof![
        Just(None),
        Just(Some(Phase::Build)),
        Just(Some(Phase::Dns)),
        Just(Some(Phase::Connect)),
        Just(Some(Phase::Tls)),
        Just(Some(Phase::FirstByte)),
    ];
    prop_oneof![
        Just(End::Complete),
        Just(End::Cut),
        Just(End::Stalled),
        (phase, any_text()).prop_map(|(phase, text)| End::Failed(Failure { phase, text })),
    ]
}

/// Words of errors, pieces of JSON and noise in any order.
fn any_text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        proptest::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "\\",
            "'",
            "\n",
            "\r\n",
            "data: ",
            "event: error\n",
            "\"error\":",
            "\"message\":",
            "\"code\":429",
            "rate limit",
            "at capacity",
            "{\"error\":{\"message\":\"",
            "retry after ",
            "in 5m",
            "2026-08-25 07:41:44",
            "99999999999999999999",
            "-1",
            "1e999",
            "NaN",
            "余额不足",
            "秒后",
            "<html>",
            "<Code>",
            "\u{feff}",
            "None",
            "\\u4f59",
            "\\ud83d",
        ])
        .prop_map(str::to_owned),
        ".{0,12}",
    ];
    prop::collection::vec(word, 0..24).prop_map(|words| words.concat())
}

fn any_headers() -> impl Strategy<Value = Vec<(String, String)>> {
    let name = proptest::sample::select(vec![
        "retry-after",
        "Retry-After-Ms",
        "date",
        "x-ratelimit-remaining-tokens",
        "x-ratelimit-reset-tokens",
        "x-amzn-ErrorType",
        "anthropic-ratelimit-unified-status",
        "anthropic-ratelimit-unified-5h-reset",
        "x-codex-primary-reset-at",
        "location",
        "cf-mitigated",
        "é",
    ]);
    let value = prop_oneof![
        any_text(),
        proptest::sample::select(vec![
            "0",
            "-5",
            "1e308",
            "rejected",
            "challenge",
            "Wed, 21 Oct 2026 07:30:00 GMT",
            "99999999999999"
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec((name.prop_map(str::to_owned), value), 0..8)
}

fn any_exchange() -> impl Strategy<Value = Exchange> {
    let body = prop_oneof![
        any_text().prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..200),
        (0..CORPUS.len()).prop_map(|spot| CORPUS[spot].exchange.body.clone()),
    ];
    (
        any_end(),
        prop::option::of(any::<u16>()),
        any_headers(),
        body,
        prop::option::of(-1_000_000_000_000_i64..4_000_000_000_000),
    )
        .prop_map(|(end, status, headers, body, at)| Exchange {
            end,
            status,
            headers,
            body,
            received_at: at.and_then(|at| Timestamp::from_millisecond(at).ok()),
            ..Exchange::default()
        })
}

fn hold(outcome: &Outcome) {
    assert!(!outcome.rule.is_empty());
    assert!(outcome.excerpt.chars().count() <= 300, "{outcome:?}");
    assert!(outcome.retry_after.is_none_or(|wait| wait <= Duration::from_secs(35 * 86_400)), "{outcome:?}");
    assert_eq!(outcome.switch_helps, outcome.scope == Scope::Model && outcome.kind != Kind::Available, "{outcome:?}");
    assert!(
        outcome.kind != Kind::Skipped && (outcome.kind != Kind::Available || outcome.excerpt.is_empty()),
        "{outcome:?}"
    );
}

/// An answer in each dialect, in one piece or streamed, whose text is `text`.
fn answers(text: &str) -> Vec<String> {
    let quoted = serde_json::Value::String(text.to_owned());
    let (left, right) = text.split_at(text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at));
    let (left, right) = (serde_json::json!(left), serde_json::json!(right));
    vec![
        format!(
            r#"{{"choices":[{{"message":{{"role":"assistant","content":{quoted}}},"finish_reason":"stop"}}],"error":null}}"#
        ),
        format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":{left}}}}}]}}\n\ndata: {{\"choices\":[{{\"delta\":{{\"content\":{right}}}}}]}}\n\ndata: [DONE]\n\n"
        ),
        format!(
            r#"{{"status":"completed","error":null,"output":[{{"type":"message","content":[{{"type":"output_text","text":{quoted}}}]}}]}}"#
        ),
        format!(
            "data: {{\"type\":\"response.output_text.delta\",\"delta\":{left}}}\n\ndata: {{\"type\":\"response.output_text.delta\",\"delta\":{right}}}\n\n"
        ),
        format!(
            r#"{{"type":"message","role":"assistant","content":[{{"type":"text","text":{quoted}}}],"stop_reason":"end_turn"}}"#
        ),
        format!(
            "data: {{\"type\":\"content_block_delta\",\"delta\":{{\"type\":\"text_delta\",\"text\":{left}}}}}\r\n\r\ndata: {{\"type\":\"content_block_delta\",\"delta\":{{\"type\":\"text_delta\",\"text\":{right}}}}}\r\n\r\n"
        ),
        format!(r#"{{"candidates":[{{"content":{{"parts":[{{"text":{quoted}}}]}},"finishReason":"STOP"}}]}}"#),
        format!(
            "{{\"message\":{{\"content\":{left}}},\"done\":false}}\n{{\"message\":{{\"content\":{right}}},\"done\":true}}\n"
        ),
        format!(
            r#"{{"output":{{"message":{{"role":"assistant","content":[{{"text":{quoted}}}]}}}},"stopReason":"end_turn"}}"#
        ),
        format!(r#"{{"output":{{"text":{quoted},"finish_reason":"stop"}},"code":"","message":""}}"#),
        format!(r#"{{"result":{quoted},"error_code":0}}"#),
    ]
}

proptest! {
    #![proptest_config(crate::support::properties::cases(512))]

    #[test]
    fn any_exchange_gets_a_verdict(exchange in any_exchange(), provider in prop::option::of("[a-z]{1,8}")) {
        let rules = RuleSet::builtin();
        for dialect in [Dialect::OpenaiChat, Dialect::Gemini, Dialect::Generic] {
            hold(&classify(Origin { dialect, provider: provider.as_deref() }, &exchange, &rules));
        }
    }

    #[test]
    fn an_answers_text_is_never_read_as_an_error(words in any_text(), spot in 0..600_usize) {
        // A text of ours, or the very body of an error.
        let quoted = String::from_utf8_lossy(&CORPUS[spot % CORPUS.len()].exchange.body).into_owned();
        for text in [words, quoted.clone(), format!("It said: {quoted}"), format!("{} (quoted)", table::REFUSALS[spot % table::REFUSALS.len()])] {
            if text.is_empty() {
                continue;
            }
            for body in answers(&text) {
                let exchange = Exchange { status: Some(200), body: body.clone().into_bytes(), ..Exchange::default() };
                let outcome = classify(Dialect::Generic, &exchange, &RuleSet::builtin());
                prop_assert_eq!(outcome.kind, Kind::Available, "{} in {}", outcome.rule, body);
                prop_assert_eq!(outcome.excerpt, "");
            }
        }
    }

    #[test]
    fn any_split_of_a_stream_reads_alike(spot in 0..600_usize, cuts in prop::collection::vec(1..40_usize, 1..40), crlf in any::<bool>()) {
        let line = &CORPUS[spot % CORPUS.len()];
        let body = if crlf {
            String::from_utf8_lossy(&line.exchange.body).replace('\n', "\r\n").into_bytes()
        } else {
            line.exchange.body.clone()
        };
        let mut whole = ReplyReader::new();
        whole.push(&body);
        let mut parts = ReplyReader::new();
        let mut rest = &body[..];
        let mut before = parts.progress();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (part, more) = rest.split_at((*cut).min(rest.len()));
            let progress = parts.push(part);
            prop_assert!(progress.output >= before.output && progress.terminal >= before.terminal && progress.error >= before.error);
            before = progress;
            rest = more;
        }
        prop_assert_eq!(whole.progress(), parts.progress());
        prop_assert_eq!(format!("{:?}", whole.finish()), format!("{:?}", parts.finish()));
        // Line ends do not matter either.
        let rules = RuleSet::builtin();
        let exchange = Exchange { body, ..line.exchange.clone() };
        let (plain, other) = (classify(origin(line), &line.exchange, &rules), classify(origin(line), &exchange, &rules));
        prop_assert_eq!((plain.kind, plain.scope, plain.rule), (other.kind, other.scope, other.rule));
    }
}

#[test]
fn refusals_are_full_in_every_dialect_also_split() {
    for sentence in table::REFUSALS {
        for text in [(*sentence).to_owned(), format!(" {sentence}\n"), sentence.to_uppercase()] {
            for body in answers(&text) {
                let exchange = Exchange { status: Some(200), body: body.clone().into_bytes(), ..Exchange::default() };
                let outcome = classify(Dialect::Generic, &exchange, &RuleSet::builtin());
                assert_eq!((outcome.kind, &*outcome.rule), (Kind::AtCapacity, "refusal-as-answer"), "{body}");
            }
        }
    }
}

#[test]
fn first_tokens_are_told_from_life_signs() {
    let nothing = [
        ": keep-alive\n\n",
        ": OPENROUTER PROCESSING\n\n",
        "event: ping\ndata: {\"type\":\"ping\"}\n\n",
        "data: {\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\",\"output\":[]}}\n\n",
        "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null,\"reasoning_content\":null,\"tool_calls\":[]}}]}\n\n",
        "data: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[],\"usage\":{\"output_tokens\":1}}}\n\n",
        "data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}]}}]}\n\n",
        "{\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":false}\n",
    ];
    for text in nothing {
        let mut reader = ReplyReader::new();
        let progress = reader.push(text.as_bytes());
        assert!(!progress.output && !progress.terminal && !progress.error, "{text}: {progress:?}");
    }
    let output = [
        "data: {\"choices\":[{\"delta\":{\"content\":\" \"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"reasoning\":\"x\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\"}}]}}]}\n\n",
        "data: {\"type\":\"response.reasoning_summary_text.delta\",\"delta\":\"x\"}\n\n",
        "data: {\"type\":\"response.output_item.added\",\"item\":{\"type\":\"function_call\",\"name\":\"f\"}}\n\n",
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\"}}\n\n",
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\"}}]}}]}\n\n",
        "{\"message\":{\"thinking\":\"x\"},\"done\":false}\n",
    ];
    for text in output {
        assert!(ReplyReader::new().push(text.as_bytes()).output, "{text}");
    }
    // A token is seen with its line, before the event's empty line has come.
    assert!(ReplyReader::new().push(b"data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n").output);
}

#[test]
fn how_an_exchange_ended_is_evidence() {
    let start = "data: {\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\"}}\n\n";
    let token = "data: {\"type\":\"response.output_text.delta\",\"delta\":\"x\"}\n\n";
    let failed = |phase, text: &str| End::Failed(Failure { phase: Some(phase), text: text.to_owned() });
    for (end, status, body, kind, scope) in [
        (End::Cut, Some(200), start, Kind::ServerError, Scope::Provider),
        (End::Cut, Some(200), "", Kind::ServerError, Scope::Provider),
        (End::Cut, Some(200), token, Kind::Available, Scope::Model),
        (End::Stalled, Some(200), start, Kind::Timeout, Scope::Provider),
        (End::Stalled, Some(200), "", Kind::Timeout, Scope::Provider),
        (End::Stalled, Some(200), token, Kind::Available, Scope::Model),
        (End::Cut, Some(503), "{\"error\":{\"code\":\"server_is_overloaded\"", Kind::AtCapacity, Scope::Model),
        (failed(Phase::Build, "no"), None, "", Kind::Misconfigured, Scope::Local),
        (failed(Phase::Dns, "no"), None, "", Kind::Network, Scope::Local),
        (failed(Phase::Connect, "no"), None, "", Kind::Network, Scope::Local),
        (failed(Phase::Connect, "deadline has elapsed"), None, "", Kind::Timeout, Scope::Local),
        (failed(Phase::Tls, "no"), None, "", Kind::Network, Scope::Local),
        (failed(Phase::FirstByte, "operation timed out"), None, "", Kind::Timeout, Scope::Provider),
        (failed(Phase::FirstByte, "connection reset"), None, "", Kind::Network, Scope::Local),
    ] {
        let exchange = Exchange { end: end.clone(), status, body: body.as_bytes().to_vec(), ..Exchange::default() };
        let outcome = classify(Dialect::OpenaiResponses, &exchange, &RuleSet::builtin());
        assert_eq!((outcome.kind, outcome.scope), (kind, scope), "{end:?} {status:?} {body} by {}", outcome.rule);
    }
}

#[test]
fn user_rules_come_first_and_are_checked() {
    let rule = |text: &str| toml_edit::de::from_str::<UserRule>(text);
    let full = rule(
        "id = 'my-relay-full'\nkind = 'at_capacity'\nprovider = 'relay'\nstatus = [429, 503]\ntext = 'Line Is Full'",
    )
    .unwrap();
    let code = rule("id = 'odd-code'\nkind = 'quota_exhausted'\nscope = 'model'\ncode = 'ODD_7'").unwrap();
    let pattern = rule("id = 'odd-words'\nkind = 'forbidden'\nregex = 'door \\d+ (is )?closed'").unwrap();
    let rules = RuleSet::with_user(vec![full, code, pattern]).unwrap();
    let verdict = |provider: &str, status: u16, body: &str| {
        let exchange = Exchange {
            status: Some(status),
            headers: vec![("retry-after".to_owned(), "9".to_owned())],
            body: body.as_bytes().to_vec(),
            ..Exchange::default()
        };
        let outcome = classify(Origin { dialect: Dialect::OpenaiChat, provider: Some(provider) }, &exchange, &rules);
        (outcome.rule.into_owned(), outcome.kind, outcome.scope, outcome.retry_after.map(|wait| wait.as_secs()))
    };
    let body = r#"{"error":{"message":"rate limit: the line is full"}}"#;
    assert_eq!(verdict("relay", 429, body), ("my-relay-full".to_owned(), Kind::AtCapacity, Scope::Model, Some(9)));
    assert_eq!(verdict("other", 429, body).1, Kind::RateLimited);
    assert_eq!(verdict("relay", 400, body).1, Kind::RateLimited);
    let odd = verdict("x", 200, r#"{"error":{"code":"odd-7","message":"hm"}}"#);
    assert_eq!(odd, ("odd-code".to_owned(), Kind::QuotaExhausted, Scope::Model, None));
    assert_eq!(verdict("x", 500, "Door 12 closed").0, "odd-words");
    let answer = r#"{"choices":[{"message":{"content":"door 12 is closed"},"finish_reason":"stop"}]}"#;
    assert_eq!(verdict("x", 200, answer).1, Kind::Available, "answers are never searched");

    for (text, complaint) in [
        ("id = 'Bad Id'\nkind = 'auth'\nstatus = 401", "kebab-case"),
        ("id = 'a'\nkind = 'auth'", "has no evidence"),
        ("id = 'a'\nkind = 'skipped'\nstatus = 401", "cannot be `skipped`"),
        ("id = 'a'\nkind = 'auth'\nstatus = 42", "unusable value `42`"),
        ("id = 'a'\nkind = 'auth'\ntext = ' '", "unusable value"),
        ("id = 'a'\nkind = 'auth'\nregex = '('", "not a regular expression"),
    ] {
        let error = RuleSet::with_user(vec![rule(text).unwrap()]).unwrap_err();
        assert!(error.to_string().contains(complaint), "{text}: {error}");
    }
    let twice = rule("id = 'a'\nkind = 'auth'\nstatus = 401").unwrap();
    assert_eq!(RuleSet::with_user(vec![twice.clone(), twice]).unwrap_err().index(), 1);
    assert!(rule("id = 'a'\nkind = 'auth'\nstatus = 401\ncolour = 'red'").is_err(), "unknown fields are refused");
}

/// Writes the fuzz target's seeds: `VACANCY_FUZZ_SEEDS=tests/fuzz/corpus/classify cargo test --test it fuzz_seeds`.
#[test]
fn fuzz_seeds_can_be_made_of_the_corpora() {
    #[expect(clippy::disallowed_methods, reason = "a switch for developers, read once in a test")]
    let folder = std::env::var_os("VACANCY_FUZZ_SEEDS");
    for line in CORPUS.iter() {
        let exchange = &line.exchange;
        let (end, body) = match &exchange.end {
            End::Failed(failure) => (4, failure.text.as_bytes()),
            End::Complete | End::Cut | End::Stalled => (0, exchange.body.as_slice()),
        };
        let mut seed = vec![end];
        seed.extend(exchange.status.unwrap_or(0).to_le_bytes());
        for (name, value) in &exchange.headers {
            seed.extend(format!("{name}: {value}\n").bytes());
        }
        seed.push(b'\n');
        seed.extend(body);
        assert!(seed.len() > 4);
        if let Some(folder) = &folder {
            std::fs::write(std::path::Path::new(folder).join(line.id.as_str().unwrap()), seed).unwrap();
        }
    }
}
