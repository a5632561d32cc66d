//! Malformed answers over real HTTP through the real prober, made by a seeded generator.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;
use vacancy::core::classify::{RuleSet, classify};
use vacancy::core::exchange::BODY_LIMIT;
use vacancy::core::outcome::Kind;
use vacancy::core::target::{Dialect, ProviderId};
use vacancy::probe::{Job, Prober as _};

use crate::probe::{job, prober, read_request, short};
use crate::support::proof::{self, Memory};

/// How what a model says in the whole answers below begins, and nothing else in them; where it did not arrive, there is no
/// answer.
const OUTPUT: char = 'z';

/// Whole answers that are one, as each API and its relays send them.
const ANSWERS: [&str; 9] = [
    r#"{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"zebra"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1}}"#,
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"zebra\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\"}}\n\nevent: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"zebra\"}\n\nevent: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"usage\":{\"output_tokens\":1}}}\n\n",
    r#"{"id":"r","object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"zebra"}]}],"usage":{"output_tokens":1}}"#,
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"role\":\"assistant\",\"content\":[]}}\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"zebra\"}}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    r#"{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"zebra"}],"stop_reason":"end_turn","usage":{"output_tokens":1}}"#,
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"zebra\"}],\"role\":\"model\"},\"finishReason\":\"STOP\",\"index\":0}]}\r\n\r\n",
    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"zebra\"},\"done\":false}\n{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"eval_count\":1}\n",
    "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"zebra\"}]}}]}\n,\n{\"candidates\":[{\"finishReason\":\"STOP\"}]}]",
];

/// What answers that are none.
const REFUSALS: [&str; 9] = [
    r#"{"error":{"message":"The model is overloaded","type":"server_error","code":"server_is_overloaded"}}"#,
    r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
    r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#,
    r#"{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}"#,
    r#"{"detail":"Not Found"}"#,
    "<!doctype html><html><head><title>Sign in</title></head><body>Welcome to the hotel</body></html>",
    ": keep-alive\n\n: keep-alive\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n",
    "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\"}}\n\n",
    "",
];

/// What is done to an answer. The name is what the row of a failure says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Malice {
    Torn,
    WrongTypes,
    GiantNumbers,
    BrokenText,
    WrongContentType,
    BadChunks,
    TornChunks,
    OddHeaders,
    OddStatusLine,
    Noise,
    Deep,
    Twice,
    BadCompression,
    LongLines,
}

const MALICES: [Malice; 14] = [
    Malice::Torn,
    Malice::WrongTypes,
    Malice::GiantNumbers,
    Malice::BrokenText,
    Malice::WrongContentType,
    Malice::BadChunks,
    Malice::TornChunks,
    Malice::OddHeaders,
    Malice::OddStatusLine,
    Malice::Noise,
    Malice::Deep,
    Malice::Twice,
    Malice::BadCompression,
    Malice::LongLines,
];

/// One malformed answer.
struct Made {
    malice: Malice,
    /// Everything that is sent before the connection is closed.
    bytes: Vec<u8>,
    /// Nothing that came could be a model's answer.
    is_no_answer: bool,
}

fn noise(rng: &mut Rng, most: usize) -> Vec<u8> {
    (0..rng.usize(..=most)).map(|_| rng.u8(..)).collect()
}

/// Where the text between two of JSON's signs begins and ends, at random.
fn value_of(rng: &mut Rng, text: &str) -> std::ops::Range<usize> {
    let signs: Vec<usize> = text.match_indices([':', ',', '[']).map(|(at, _)| at + 1).collect();
    if signs.is_empty() {
        return 0..0;
    }
    let from = signs[rng.usize(..signs.len())];
    let length = text[from..].find([',', '}', ']', '\n']).unwrap_or(text.len() - from);
    from..from + length
}

fn make(seed: u64) -> Made {
    let mut rng = Rng::with_seed(seed);
    let malice = MALICES[usize::try_from(seed).unwrap() % MALICES.len()];
    let is_answer = rng.bool();
    let source = if is_answer { ANSWERS } else { REFUSALS };
    let text = source[rng.usize(..source.len())];
    let status = if is_answer { 200 } else { [200, 200, 400, 404, 429, 500, 503, 529][rng.usize(..8)] };
    let mut head = format!("HTTP/1.1 {status} X\r\n");
    let mut content_type = if text.starts_with('{') { "application/json" } else { "text/event-stream" };
    let mut body = text.as_bytes().to_vec();
    // What was changed in place may still be read as an answer.
    let mut is_no_answer = !is_answer;
    match malice {
        Malice::Torn | Malice::TornChunks => {
            body.truncate(rng.usize(..=body.len()));
            is_no_answer |= !String::from_utf8_lossy(&body).contains(OUTPUT);
        }
        Malice::WrongTypes => {
            let mut text = text.to_owned();
            for _ in 0..rng.usize(1..5) {
                let at = value_of(&mut rng, &text);
                let with = ["null", "[]", "{}", "true", "-0", "\"\"", "[[[]]]", "{\"error\":7}"][rng.usize(..8)];
                text.replace_range(at, with);
            }
            body = text.into_bytes();
        }
        Malice::GiantNumbers => {
            let mut text = text.to_owned();
            for _ in 0..rng.usize(1..5) {
                let at = value_of(&mut rng, &text);
                let digits = "9".repeat(rng.usize(1..5_000));
                let with = [digits.clone(), format!("-{digits}"), format!("1e{digits}"), format!("0.{digits}")];
                text.replace_range(at, &with[rng.usize(..4)]);
            }
            body = text.into_bytes();
        }
        Malice::BrokenText => {
            for _ in 0..rng.usize(1..20) {
                let at = rng.usize(..=body.len());
                let bad: &[u8] =
                    [&b"\xff"[..], b"\xc3", b"\xed\xa0\x80", b"\0", b"\xf4\x90\x80\x80", b"\\ud800"][rng.usize(..6)];
                body.splice(at..at, bad.iter().copied());
            }
        }
        Malice::WrongContentType => {
            content_type =
                ["text/html", "image/png", "application/grpc", "text/event-stream; charset=utf-16", ";;;", "a/b"]
                    [rng.usize(..6)];
        }
        Malice::BadChunks | Malice::OddStatusLine | Malice::BadCompression => {}
        Malice::OddHeaders => {
            let odd = [
                "content-length: -1\r\n".to_owned(),
                "content-length: 18446744073709551616\r\n".to_owned(),
                "content-length: 3\r\ncontent-length: 4\r\n".to_owned(),
                "transfer-encoding: chunked, identity\r\n".to_owned(),
                "x-a: b\r\n\tfolded: yes\r\n".to_owned(),
                "x-nul: a\0b\r\n".to_owned(),
                ": no name\r\n".to_owned(),
                "no colon at all\r\n".to_owned(),
                format!("retry-after: {}\r\n", "9".repeat(rng.usize(1..400))),
                "retry-after: Thu, 99 Foo 99999 99:99:99 GMT\r\n".to_owned(),
                format!("x-long: {}\r\n", "v".repeat(rng.usize(1..200_000))),
                "x-many: y\r\n".repeat(rng.usize(1..2_000)),
                "x-ratelimit-reset: -99999999999999999999\r\nanthropic-ratelimit-unified-reset: NaN\r\n".to_owned(),
                "x-bytes: \u{fffd}\u{202e}\r\nserver: \u{1b}[31m\r\n".to_owned(),
            ];
            head.push_str(&odd[rng.usize(..odd.len())]);
        }
        Malice::Noise => {
            body = noise(&mut rng, 5_000);
            is_no_answer = true;
        }
        Malice::Deep => {
            let depth = rng.usize(1..20_000);
            let (open, close) = [("[", "]"), ("{\"a\":", "}"), ("[{\"error\":", "}]")][rng.usize(..3)];
            let is_closed = rng.bool();
            body = [open.repeat(depth), "0".to_owned(), if is_closed { close.repeat(depth) } else { String::new() }]
                .concat()
                .into_bytes();
            is_no_answer = true;
        }
        Malice::Twice => {
            let between = ["", "\u{feff}", "\r\n", "null", "\0\0", "]", "data: "][rng.usize(..7)];
            body = [text, between, text].concat().into_bytes();
            if rng.bool() {
                body = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                is_no_answer = true;
            }
        }
        Malice::LongLines => {
            let filler = ["a", "data: ", "\"", "\\", "{", ":"][rng.usize(..6)].repeat(rng.usize(1..BODY_LIMIT));
            let at = rng.usize(..=text.len());
            body.splice(at..at, filler.into_bytes());
        }
    }
    let mut bytes = Vec::new();
    match malice {
        Malice::OddStatusLine => {
            let lines = [
                "HTTP/9.9 200 OK\r\n".to_owned(),
                "HTTP/1.1 0 X\r\n".to_owned(),
                "HTTP/1.1 99999 X\r\n".to_owned(),
                "HTTP/1.1 -200 X\r\n".to_owned(),
                "HTTP/1.1 204 No Content\r\n".to_owned(),
                "HTTP/1.1 304 Not Modified\r\n".to_owned(),
                "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n".to_owned(),
                format!("{}{head}", "HTTP/1.1 100 Continue\r\n\r\n".repeat(rng.usize(1..200))),
                format!("{}{head}", "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n".repeat(rng.usize(1..200))),
                "ICY 200 OK\r\n".to_owned(),
                "\r\n\r\n\r\n".to_owned(),
                String::from_utf8_lossy(&noise(&mut rng, 300)).into_owned(),
            ];
            let line = &lines[rng.usize(..lines.len())];
            is_no_answer |= !line.ends_with(&head);
            bytes.extend(line.bytes());
        }
        _ => bytes.extend(head.bytes()),
    }
    match malice {
        Malice::BadChunks => {
            is_no_answer = false;
            bytes.extend(format!("content-type: {content_type}\r\ntransfer-encoding: chunked\r\n\r\n").bytes());
            let (length, real) = (body.len(), format!("{:x}", body.len()));
            let sizes = [
                format!("{:x}", length + 7),
                format!("{:x}", length / 2),
                "-5".to_owned(),
                "ffffffffffffffffff".to_owned(),
                "zz".to_owned(),
                String::new(),
                format!("{real};{}", "e".repeat(rng.usize(1..40_000))),
                format!("0{real}"),
                format!("{real} "),
            ];
            bytes.extend(format!("{}\r\n", sizes[rng.usize(..sizes.len())]).bytes());
            bytes.extend(&body);
            bytes.extend([&b"\r\n0\r\n\r\n"[..], b"0\r\n", b"\r\n", b"\r\nnot a chunk"][rng.usize(..4)]);
        }
        Malice::TornChunks => {
            bytes.extend(format!("content-type: {content_type}\r\ntransfer-encoding: chunked\r\n\r\n").bytes());
            for chunk in body.chunks(rng.usize(1..40)) {
                bytes.extend(format!("{:x}\r\n", chunk.len()).bytes());
                bytes.extend(chunk);
                bytes.extend(b"\r\n");
            }
        }
        Malice::BadCompression => {
            is_no_answer = false;
            let encoding = ["gzip", "br", "deflate", "zstd", "gzip, gzip", "x-nothing"][rng.usize(..6)];
            let mut packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec();
            packed.extend(noise(&mut rng, 200));
            body = if rng.bool() { packed } else { body };
            bytes.extend(format!("content-encoding: {encoding}\r\ncontent-length: {}\r\n\r\n", body.len()).bytes());
            bytes.extend(&body);
        }
        _ => {
            let length = if rng.bool() { format!("content-length: {}\r\n", body.len()) } else { String::new() };
            bytes.extend(format!("content-type: {content_type}\r\n{length}connection: close\r\n\r\n").bytes());
            bytes.extend(&body);
        }
    }
    Made { malice, bytes, is_no_answer }
}

/// Which answer a request asks for: its model is named after it.
fn asked(request: &str) -> u64 {
    let named = request.split("proof-").nth(1).map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    named.flatten().and_then(|number| number.parse().ok()).expect("the request names its model")
}

#[tokio::test]
async fn no_malformed_answer_is_a_panic_a_false_free_model_or_a_leak() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let served = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&served);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let count = Arc::clone(&count);
            tokio::spawn(async move {
                let request = read_request(&mut stream).await;
                count.fetch_add(1, Ordering::Relaxed);
                let _ = stream.write_all(&make(asked(&request)).bytes).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    let total = proof::rounds(280);
    let prober = prober();
    let rules = RuleSet::builtin();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut memory = None;
    for first in (0..total).step_by(8) {
        let probes = (first..total.min(first + 8)).map(|number| {
            let dialect = Dialect::PROBED[number / 3 % Dialect::PROBED.len()];
            let job = Job {
                provider: ProviderId::from(format!("p{}", number % 8).as_str()),
                deadlines: Some(short()),
                ..job(&base, dialect, &format!("proof-{number}"))
            };
            let prober = &prober;
            async move { (number, dialect, prober.probe(&job).await.unwrap()) }
        });
        for (number, dialect, probed) in futures_util::future::join_all(probes).await {
            let outcome = classify(dialect, &probed.exchange, &rules);
            let made = make(u64::try_from(number).unwrap());
            let says = || format!("{number} {:?} {dialect}: {outcome:?} {:?}", made.malice, probed.exchange);
            assert!(!(made.is_no_answer && outcome.kind == Kind::Available), "false free model: {}", says());
            assert!(probed.exchange.body.len() <= BODY_LIMIT && !outcome.rule.is_empty(), "{}", says());
            assert!(!outcome.excerpt.contains(char::is_control), "{}", says());
            *kinds.entry(outcome.kind.name()).or_default() += 1;
        }
        // The first tenth fills what is filled once.
        if first >= total / 10 {
            memory.get_or_insert_with(Memory::watch);
        }
    }
    let memory = memory.expect("more than one answer");
    let (stayed, peak) = (memory.stayed(), memory.peak());
    assert!(!proof::is_long() || stayed < 8.0, "memory grew by {stayed} MiB");
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    proof::row(
        format!("malformed answers of {} kinds, over HTTP through the prober and the classifier", MALICES.len()),
        format!("{total} ({} requests)", served.load(Ordering::Relaxed)),
        format!(
            "no panic, no false *available*; memory after the first tenth +{stayed:.1} MiB, peak +{peak:.1} MiB; {}",
            kinds.join(", ")
        ),
    );
}
