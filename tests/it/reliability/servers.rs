//! Servers that will not end, will not begin, or send more than anybody asked for: each probe ends in its time and within
//! its memory. In the long run the deadlines are those of a real probe.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use vacancy::clock::SystemClock;
use vacancy::context::fetch::{Fetch as _, HttpFetch};
use vacancy::context::watch::{Answer, Order, Validators};
use vacancy::core::classify::{RuleSet, classify};
use vacancy::core::exchange::BODY_LIMIT;
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::target::{Dialect, ProviderId};
use vacancy::loopback::answer::{Step, answer};
use vacancy::loopback::route::{Ask, Form};
use vacancy::loopback::{self, Reply, Scenario, Tempo};
use vacancy::probe::{Job, Prober as _};

use crate::probe::{job, prober, read_request, short};
use crate::support::proof::{self, Memory, seconds};

/// What one server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    // These keep the connection.
    Silent,
    DripHead,
    DripBody,
    KeepAlives,
    StallAfterHead,
    HalfChunk,
    TlsSilent,
    // These send without an end.
    EndlessOutput,
    EndlessLine,
    EndlessComments,
    EndlessContinue,
    EndlessHeaders,
    EndlessHeader,
    // These send too much.
    Header64K,
    Headers10000,
    GzipBomb,
    GzipTwice,
    DeflateBomb,
    BrotliBomb,
    HugeLength,
    HugeChunk,
    // These break.
    Redirect,
    TlsGarbage,
    TlsClosed,
    TlsAlert,
    ResetAtOnce,
    ResetAfterRequest,
    ResetInHead,
    ResetAfterHead,
    ResetInChunk,
    ResetInOutput,
}

const HELD: [Act; 7] =
    [Act::Silent, Act::DripHead, Act::DripBody, Act::KeepAlives, Act::StallAfterHead, Act::HalfChunk, Act::TlsSilent];
const ENDLESS: [Act; 6] = [
    Act::EndlessOutput,
    Act::EndlessLine,
    Act::EndlessComments,
    Act::EndlessContinue,
    Act::EndlessHeaders,
    Act::EndlessHeader,
];
const LARGE: [Act; 8] = [
    Act::Header64K,
    Act::Headers10000,
    Act::GzipBomb,
    Act::GzipTwice,
    Act::DeflateBomb,
    Act::BrotliBomb,
    Act::HugeLength,
    Act::HugeChunk,
];
const BROKEN: [Act; 10] = [
    Act::Redirect,
    Act::TlsGarbage,
    Act::TlsClosed,
    Act::TlsAlert,
    Act::ResetAtOnce,
    Act::ResetAfterRequest,
    Act::ResetInHead,
    Act::ResetAfterHead,
    Act::ResetInChunk,
    Act::ResetInOutput,
];

impl Act {
    fn is_tls(self) -> bool {
        matches!(self, Self::TlsSilent | Self::TlsGarbage | Self::TlsClosed | Self::TlsAlert)
    }

    /// Whether a model's output was sent: then it may be called free.
    fn has_output(self) -> bool {
        matches!(self, Self::EndlessOutput | Self::ResetInOutput | Self::Header64K)
    }
}

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
const TOKEN: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"zebra\"}}]}\n\n";

fn chunked(text: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n{text}")
}

/// A megabyte that unpacks to 158 MiB of nothing: the loopback provider's own.
fn bomb() -> Vec<u8> {
    let (dialect, model, body) = (Dialect::OpenaiChat, "m".to_owned(), serde_json::Value::Null);
    let ask = Ask { dialect, model, form: Form::Sse, body, serial: 0 };
    match answer(&ask, Reply::from(Scenario::GzipBomb), Tempo::default()) {
        loopback::answer::Answer::Http { body, .. } => match body.into_iter().next() {
            Some(Step::Send(bytes)) => bytes,
            other => panic!("no bomb but {other:?}"),
        },
        loopback::answer::Answer::Raw(_) => panic!("a bomb is an HTTP answer"),
    }
}

fn packed(encoding: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-encoding: {encoding}\r\ncontent-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// The same bytes until the other side goes away.
async fn endless(stream: &mut TcpStream, first: &str, then: &str) {
    let then = then.repeat(8192 / then.len() + 1);
    let mut result = stream.write_all(first.as_bytes()).await;
    while result.is_ok() {
        result = stream.write_all(then.as_bytes()).await;
    }
}

/// A byte at a time until the other side goes away.
async fn drip(stream: &mut TcpStream, first: &str, then: &[u8]) {
    let mut result = stream.write_all(first.as_bytes()).await;
    for byte in then.iter().cycle() {
        if result.is_err() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        result = stream.write_all(&[*byte]).await;
    }
}

/// Closes so that the other side gets a reset instead of an end.
fn reset(stream: TcpStream) {
    stream.set_zero_linger().unwrap();
}

async fn play(act: Act, mut stream: TcpStream, bomb: &[u8]) {
    if act == Act::ResetAtOnce {
        return reset(stream);
    }
    if act.is_tls() {
        let mut hello = [0; 64];
        let _ = stream.read(&mut hello).await;
        match act {
            Act::TlsGarbage => drop(stream.write_all(&[0x7a; 4096]).await),
            Act::TlsAlert => drop(stream.write_all(&[21, 3, 3, 0, 2, 2, 40]).await),
            Act::TlsSilent => std::future::pending().await,
            _ => {}
        }
        return;
    }
    read_request(&mut stream).await;
    let bytes = match act {
        Act::Silent => return std::future::pending().await,
        Act::DripHead => return drip(&mut stream, "", b"HTTP/1.1 200 OK\r\nx-a: b").await,
        Act::DripBody => return drip(&mut stream, STREAM, b"{\"choices\":[  ").await,
        Act::KeepAlives => return drip(&mut stream, STREAM, b": ping\n\n").await,
        Act::EndlessOutput => return endless(&mut stream, STREAM, TOKEN).await,
        Act::EndlessLine => return endless(&mut stream, &format!("{STREAM}data: \""), "a").await,
        Act::EndlessComments => return endless(&mut stream, STREAM, ": ping\n\n").await,
        Act::EndlessContinue => return endless(&mut stream, "", "HTTP/1.1 100 Continue\r\n\r\n").await,
        Act::EndlessHeaders => return endless(&mut stream, "HTTP/1.1 200 OK\r\n", "x-a: b\r\n").await,
        Act::EndlessHeader => return endless(&mut stream, "HTTP/1.1 200 OK\r\nx-a: ", "b").await,
        Act::StallAfterHead | Act::HalfChunk => {
            let text = if act == Act::HalfChunk { chunked("40\r\ndata: {") } else { STREAM.to_owned() };
            let _ = stream.write_all(text.as_bytes()).await;
            return std::future::pending().await;
        }
        Act::ResetAfterRequest | Act::ResetInHead | Act::ResetAfterHead | Act::ResetInChunk | Act::ResetInOutput => {
            let text = match act {
                Act::ResetInHead => "HTTP/1.1 200 OK\r\ncontent-le".to_owned(),
                Act::ResetAfterHead => STREAM.to_owned(),
                Act::ResetInChunk => chunked("40\r\ndata: {\"choi"),
                Act::ResetInOutput => format!("{STREAM}{TOKEN}"),
                _ => String::new(),
            };
            let _ = stream.write_all(text.as_bytes()).await;
            // What was sent arrives before the reset.
            tokio::time::sleep(Duration::from_millis(100)).await;
            return reset(stream);
        }
        Act::Header64K => format!("HTTP/1.1 200 OK\r\nx-a: {}\r\n\r\n{TOKEN}", "v".repeat(64 << 10)).into_bytes(),
        Act::Headers10000 => format!("HTTP/1.1 200 OK\r\n{}\r\n{TOKEN}", "x-a: b\r\n".repeat(10_000)).into_bytes(),
        Act::GzipBomb => packed("gzip", bomb),
        Act::GzipTwice => packed("gzip, gzip", bomb),
        Act::DeflateBomb => packed("deflate", bomb),
        Act::BrotliBomb => packed("br", bomb),
        Act::HugeLength => b"HTTP/1.1 200 OK\r\ncontent-length: 9223372036854775807\r\n\r\n{".to_vec(),
        Act::HugeChunk => chunked("fffffffffffffff\r\n{").into_bytes(),
        _ => b"HTTP/1.1 302 Found\r\nlocation: /v1/chat/completions\r\ncontent-length: 0\r\n\r\n".to_vec(),
    };
    let _ = stream.write_all(&bytes).await;
    let _ = stream.shutdown().await;
}

/// A server that plays one act to everybody; its address and scheme.
async fn start(act: Act, bomb: Arc<Vec<u8>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let scheme = if act.is_tls() { "https" } else { "http" };
    let address = format!("{scheme}://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let bomb = Arc::clone(&bomb);
            tokio::spawn(async move { play(act, stream, &bomb).await });
        }
    });
    address
}

/// What came of one probe.
struct Ended {
    act: Act,
    kind: Kind,
    took: Duration,
}

async fn probe(act: Act, bomb: &Arc<Vec<u8>>) -> Ended {
    let base = start(act, Arc::clone(bomb)).await;
    let deadlines = (!proof::is_long()).then(short);
    let provider = ProviderId::from(format!("{act:?}").as_str());
    let job = Job { provider, deadlines, ..job(&base, Dialect::OpenaiChat, "m") };
    let began = Instant::now();
    let exchange = prober().probe(&job).await.unwrap().exchange;
    let outcome = classify(Dialect::OpenaiChat, &exchange, &RuleSet::builtin());
    assert!(exchange.body.len() <= BODY_LIMIT, "{act:?}");
    let kept: usize = exchange.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
    assert!(kept <= 64 << 10, "{act:?}: {kept} bytes of headers");
    assert!(outcome.kind != Kind::Available || act.has_output(), "{act:?}: {outcome:?}");
    assert!(!outcome.switch_helps || outcome.scope == Scope::Model, "{act:?}: {outcome:?}");
    Ended { act, kind: outcome.kind, took: began.elapsed() }
}

fn longest(ended: &[Ended]) -> (String, String) {
    let longest = ended.iter().max_by_key(|ended| ended.took).expect("some servers");
    let told = ended.iter().map(|ended| format!("{:?} → {}", ended.act, ended.kind.name())).collect::<Vec<_>>();
    (format!("{} ({:?})", seconds(longest.took), longest.act), told.join(", "))
}

#[tokio::test]
async fn every_bad_server_is_left_in_time_and_within_memory() {
    let bomb = Arc::new(bomb());
    // One for what is made once, such as the trust roots.
    probe(Act::Redirect, &bomb).await;
    let memory = Memory::watch();
    let mut all = join_all(HELD.map(|act| probe(act, &bomb))).await;
    let (time, told) = longest(&all);
    proof::row(
        "slow-loris in head and body, keep-alives for ever, silence at each stage",
        HELD.len(),
        format!("longest {time}; all together peak +{:.1} MiB; {told}", memory.peak()),
    );
    for (what, acts) in [
        ("streams, lines, comments, interim answers and headers without an end", &ENDLESS[..]),
        (
            "a 64 KiB header, 10,000 headers, gzip (158 MiB of nothing), gzip twice, deflate and brotli bombs, lengths of 8 EiB",
            &LARGE,
        ),
        ("a redirect to itself, TLS garbage, resets at each stage", &BROKEN),
    ] {
        let (mut ended, mut most) = (Vec::new(), 0_f64);
        for &act in acts {
            let memory = Memory::watch();
            ended.push(probe(act, &bomb).await);
            most = most.max(memory.peak());
            assert!(!proof::is_long() || memory.peak() < 64.0, "{act:?} took {} MiB", memory.peak());
        }
        let (time, told) = longest(&ended);
        proof::row(what, acts.len(), format!("longest {time}; peak of one at most +{most:.1} MiB; {told}"));
        all.extend(ended);
    }
    let limit = if proof::is_long() { Duration::from_secs(75) } else { Duration::from_secs(60) };
    assert!(
        all.iter().all(|ended| ended.took < limit),
        "{:?}",
        all.iter().map(|e| (e.act, e.took)).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_bad_status_page_is_left_in_time_and_within_memory() {
    let bomb = Arc::new(bomb());
    let acts: Vec<Act> = [&HELD[..], &ENDLESS, &LARGE, &BROKEN].concat();
    let (mut longest, mut documents) = (Duration::ZERO, 0);
    let memory = Memory::watch();
    for group in acts.chunks(8) {
        let asked = group.iter().map(|&act| {
            let bomb = Arc::clone(&bomb);
            async move {
                let base = start(act, bomb).await;
                let url = format!("{base}/summary.json").parse().unwrap();
                let began = Instant::now();
                let order = Order { url, validators: Validators::default() };
                let answer = HttpFetch::new(Arc::new(SystemClock)).fetch(&order).await;
                (act, answer, began.elapsed())
            }
        });
        for (act, answer, took) in join_all(asked).await {
            longest = longest.max(took);
            assert!(took < Duration::from_secs(60), "{act:?} took {took:?}");
            if let Answer::Document(document, _) = answer {
                assert!(document.len() <= 1 << 20, "{act:?}");
                documents += 1;
            }
        }
    }
    proof::row(
        "the same servers as status pages, eight at once",
        acts.len(),
        format!(
            "longest {}; {documents} gave a document of at most 1 MiB, the others no answer; peak +{:.1} MiB",
            seconds(longest),
            memory.peak()
        ),
    );
}
