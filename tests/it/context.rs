//! What others say: asked politely, read carefully, counted nowhere.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;
use vacancy::clock::SystemClock;
use vacancy::context::fetch::{Fetch as _, HttpFetch, LONGEST, USER_AGENT};
use vacancy::context::sources::{CONCERNS, Concern, Subject};
use vacancy::context::watch::{AT_ONCE, Answer, EVERY, Interest, LONGEST_BACKOFF, Order, Validators, Watch};
use vacancy::context::{Origin, Part, Remark, Says, Silence};
use vacancy::core::target::TargetId;
use vacancy::listen::Name;
use vacancy::listen::pages::{SOURCES, Source, Style};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A server on this machine: each request's head is kept, and answered by `answer` with bytes; empty bytes leave the
/// connection open without a word.
struct Server {
    url: Url,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = Url::parse(&format!("http://{}/summary.json", listener.local_addr().unwrap())).unwrap();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heads);
        let answer = Arc::new(answer);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (answer, kept) = (Arc::clone(&answer), Arc::clone(&kept));
                tokio::spawn(async move {
                    let mut head = Vec::new();
                    while !head.ends_with(b"\r\n\r\n") {
                        let mut byte = [0];
                        if stream.read(&mut byte).await.unwrap_or(0) == 0 {
                            return;
                        }
                        head.push(byte[0]);
                    }
                    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
                    let bytes = answer(&head);
                    kept.lock().unwrap().push(head);
                    // Who asked may have gone by now.
                    let _ = stream.write_all(&bytes).await;
                    if bytes.is_empty() || bytes.ends_with(b"...") {
                        std::future::pending::<()>().await;
                    }
                });
            }
        });
        Self { url, heads }
    }

    fn order(&self) -> Order {
        Order { url: self.url.clone(), validators: Validators::default() }
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

fn http(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn fetcher() -> HttpFetch {
    HttpFetch::new(Arc::new(SystemClock))
}

fn failed(silence: Silence) -> Answer {
    Answer::Failed { silence, wait: None }
}

const SUMMARY: &[u8] = br#"{"page":{"updated_at":"2026-11-29T13:00:00Z"},"components":[
    {"name":"Claude API (api.anthropic.com)","status":"operational"},{"name":"claude.ai","status":"major_outage"}]}"#;

/// A page of our own under a test's address; leaked, as the table's rows are static.
fn page(url: &Url, style: Style) -> &'static Source {
    let url: &'static str = Box::leak(url.to_string().into_boxed_str());
    Box::leak(Box::new(Source { provider: "near", page: "https://status.near.example", url, style, components: &[] }))
}

fn watch_of(source: &'static Source, provider: &str) -> Watch {
    let mut watch = Watch::new(fastrand::Rng::with_seed(1));
    watch.set(vec![("t".into(), Concern::of(provider).unwrap(), source)], Vec::new());
    watch
}

fn only(watch: &Watch) -> Remark {
    let remarks = watch.remarks();
    let [remark] = &remarks[&TargetId::from("t")][..] else { panic!("one remark, not {remarks:?}") };
    remark.clone()
}

/// Lets a watch run until its next request.
fn next_order(watch: &mut Watch, now: &mut Timestamp) -> Order {
    for _ in 0..10 {
        if let Some(order) = watch.due(*now, |_| Interest::Attended).pop() {
            return order;
        }
        *now = watch.wake_at(|_| Interest::Attended).unwrap().max(*now);
    }
    panic!("never due");
}

#[tokio::test]
async fn a_page_is_asked_under_our_name_without_a_key_and_comes_again_only_when_it_has_changed() {
    let server = Server::start(|head| {
        if head.contains("if-none-match: \"v1\"") && head.contains("if-modified-since: sun, 29 nov 2026") {
            http("304 Not Modified", "", b"")
        } else {
            let validators = "etag: \"v1\"\r\nlast-modified: Sun, 29 Nov 2026 13:00:00 GMT\r\nset-cookie: id=1\r\n";
            http("200 OK", validators, SUMMARY)
        }
    })
    .await;
    let fetch = fetcher();
    let mut watch = watch_of(page(&server.url, Style::Summary), "anthropic");
    assert_eq!(only(&watch).says, Says::Unknown(Silence::NotAsked));
    let mut now = at("2026-11-29T13:20:00Z");
    for round in 0..2 {
        let order = next_order(&mut watch, &mut now);
        let answer = fetch.fetch(&order).await;
        assert_eq!(answer == Answer::Unchanged, round == 1, "{answer:?}");
        watch.answered(&order.url, answer, now);
        let remark = only(&watch);
        // What is not the API does not concern a key.
        assert_eq!(remark.says, Says::Good { parts: 1, missing: vec![] });
        assert_eq!((remark.checked_at, remark.origin), (Some(now), Origin::Page("https://status.near.example")));
    }
    for head in server.heads() {
        assert!(head.contains(&format!("user-agent: {USER_AGENT}")), "{head}");
        assert!(!["authorization", "x-api-key", "cookie", "referer"].iter().any(|name| head.contains(name)), "{head}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_neither_up_nor_down() {
    let huge = [
        br#"{"page":{},"components":[{"name":"Claude API","status":"operational","description":""#.to_vec(),
        vec![b'x'; LONGEST],
    ]
    .concat();
    let cases: Vec<(&str, Vec<u8>, Silence)> = vec![
        (
            "a page for people",
            http("200 OK", "content-type: text/html\r\n", b"<!doctype html><title>All good: operational</title>"),
            Silence::NotUnderstood,
        ),
        ("no parts", http("200 OK", "", br#"{"page":{"id":"x"},"components":[]}"#), Silence::NotUnderstood),
        ("nothing", http("200 OK", "", b""), Silence::NotUnderstood),
        ("half a document", http("200 OK", "", &SUMMARY[..90]), Silence::NotUnderstood),
        ("not text", http("200 OK", "", &[0xff, 0xfe, 0, 1, 2]), Silence::NotUnderstood),
        (
            "another's parts",
            http("200 OK", "", br#"{"components":[{"name":"Website","status":"operational"}]}"#),
            Silence::NoSuchPart,
        ),
        (
            "a word that nobody knows",
            http("200 OK", "", br#"{"components":[{"name":"Claude API","status":"wobbly"}]}"#),
            Silence::NotUnderstood,
        ),
        ("too long", http("200 OK", "", &huge), Silence::NotUnderstood),
        ("gone", http("404 Not Found", "", b"{}"), Silence::Moved),
        ("broken", http("500 Internal Server Error", "", SUMMARY), Silence::NoAnswer),
        ("cut", http("200 OK", "content-length: 9999\r\n", SUMMARY), Silence::NoAnswer),
        ("no HTTP", b"hello\r\n\r\n".to_vec(), Silence::NoAnswer),
        ("unchanged, though nothing was known", http("304 Not Modified", "", b""), Silence::NoAnswer),
        ("the front door", http("302 Found", "location: /\r\n", b""), Silence::Moved),
        (
            "another host",
            http("301 Moved", "location: https://status.example.com/summary.json\r\n", b""),
            Silence::Moved,
        ),
        ("another port", http("301 Moved", "location: http://127.0.0.1:1/summary.json\r\n", b""), Silence::Moved),
        ("in circles", http("302 Found", "location: /summary.json\r\n", b""), Silence::Moved),
        ("no place", http("302 Found", "", b""), Silence::Moved),
    ];
    for (what, bytes, silence) in cases {
        let server = Server::start(move |_| bytes.clone()).await;
        let mut watch = watch_of(page(&server.url, Style::Summary), "anthropic");
        let mut now = at("2026-11-29T13:20:00Z");
        let order = next_order(&mut watch, &mut now);
        watch.answered(&order.url, fetcher().fetch(&order).await, now);
        assert_eq!(only(&watch).says, Says::Unknown(silence), "{what}");
        assert!(server.heads().len() <= 4, "{what}: no more than three steps");
    }
}

#[tokio::test]
async fn a_redirect_on_the_same_host_is_followed_and_a_wish_to_be_left_alone_is_kept() {
    let server = Server::start(|head| {
        if head.starts_with("get /summary.json") {
            http("307 Temporary Redirect", "location: /v3/summary.json\r\n", b"")
        } else {
            http("200 OK", "", SUMMARY)
        }
    })
    .await;
    let answer = fetcher().fetch(&server.order()).await;
    assert!(matches!(&answer, Answer::Document(body, _) if body == SUMMARY), "{answer:?}");

    for (header, least) in [("retry-after: 7200\r\n", 7_200), ("retry-after: 999999999\r\n", 21_600), ("", 0)] {
        let server = Server::start(move |_| http("429 Too Many Requests", header, b"")).await;
        let mut watch = watch_of(page(&server.url, Style::Summary), "anthropic");
        let mut now = at("2026-11-29T13:20:00Z");
        let order = next_order(&mut watch, &mut now);
        watch.answered(&order.url, fetcher().fetch(&order).await, now);
        let wait = watch.wake_at(|_| Interest::Attended).unwrap().duration_since(now);
        assert!(wait >= EVERY.max(SignedDuration::from_secs(least)), "{header}: {wait:?}");
        assert!(wait.as_secs() <= least.max(300) * 6 / 5, "{header}: {wait:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_server_is_given_up() {
    let drip = http("200 OK", "content-length: 9999\r\n", b"{\"page\":...");
    for bytes in [Vec::new(), drip] {
        let server = Server::start(move |_| bytes.clone()).await;
        assert_eq!(fetcher().fetch(&server.order()).await, failed(Silence::NoAnswer));
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_no_answer() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = Url::parse(&format!("http://{}/summary.json", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let order = Order { url, validators: Validators::default() };
    assert_eq!(fetcher().fetch(&order).await, failed(Silence::NoAnswer));
}

fn read(style: Style, provider: &str, document: &str) -> Says {
    let url = Url::parse("https://status.near.example/doc").unwrap();
    let mut watch = watch_of(page(&url, style), provider);
    let mut now = at("2026-11-29T13:20:00Z");
    let order = next_order(&mut watch, &mut now);
    watch.answered(&order.url, Answer::Document(document.into(), Validators::default()), now);
    only(&watch).says
}

#[test]
fn the_parts_that_concern_a_target_decide_and_a_missing_one_is_told() {
    let trouble = |name: &str, status: &str| {
        Says::Trouble(vec![Part { name: Name::new(name).unwrap(), status: Name::new(status).unwrap() }])
    };
    let page = |parts: &[(&str, &str)]| {
        let parts = parts.iter().map(|(name, status)| serde_json::json!({"name": name, "status": status}));
        serde_json::json!({"page": {}, "components": parts.collect::<Vec<_>>()}).to_string()
    };
    let well = page(&[("Codex Web", "operational"), ("CLI", "operational"), ("Responses", "partial_outage")]);
    assert_eq!(read(Style::Summary, "openai-responses", &well), trouble("Responses", "partial_outage"));
    assert_eq!(
        read(Style::Summary, "codex", &well),
        Says::Good { parts: 2, missing: vec!["VS Code extension"] },
        "the API's trouble is not the subscription's"
    );
    assert_eq!(read(Style::Summary, "openai", &well), Says::Unknown(Silence::NoSuchPart));
    // Open incidents are linked to parts that are well: only the parts count.
    let bulk = r#"{"page":{},"incidents":[{"name":"Down","components":[{"name":"Claude API"}]}],
        "components":[{"name":"Claude API","status":"operational"}]}"#;
    assert_eq!(read(Style::Summary, "anthropic", bulk), Says::Good { parts: 1, missing: vec![] });
    // Feeds and lists of incidents tell troubles only.
    let feed = |items: &str| format!("<rss><channel><title>Azure status</title>{items}</channel></rss>");
    assert_eq!(read(Style::Feed, "azure-openai", &feed("")), Says::NothingReported);
    let item = "<item><title>[API (us-east)] Errors</title><description>Status: INVESTIGATING</description></item>";
    assert_eq!(read(Style::Feed, "xai", &feed(item)), trouble("API (us-east)", "investigating"));
    assert_eq!(
        read(Style::Feed, "groq", "<html><body>operational</body></html>"),
        Says::Unknown(Silence::NotUnderstood)
    );
    assert_eq!(read(Style::GoogleIncidents, "groq", "[]"), Says::Unknown(Silence::NotUnderstood));
}

#[test]
fn pages_that_are_not_for_programs_are_shown_as_links_and_never_asked() {
    let mut watch = Watch::new(fastrand::Rng::with_seed(1));
    let subject =
        |provider| Subject { target: "t".into(), provider: Some(provider), model: "m".into(), base_url: None };
    watch.set_subjects(&[subject("deepseek")]);
    assert_eq!(only(&watch).says, Says::Link);
    assert!(watch.due(at("2026-11-29T13:20:00Z"), |_| Interest::Attended).is_empty());
    assert_eq!(watch.wake_at(|_| Interest::Attended), None);
    watch.set_subjects(&[Subject { provider: None, ..subject("deepseek") }]);
    assert!(watch.remarks().is_empty(), "a provider that we do not know has no context");
}

#[test]
fn one_page_is_asked_once_for_all_its_targets_and_is_kept_when_the_settings_change() {
    let mut watch = Watch::new(fastrand::Rng::with_seed(1));
    let subject = |target: &str, provider| Subject {
        target: target.into(),
        provider: Some(provider),
        model: "m".into(),
        base_url: None,
    };
    watch.set_subjects(&[subject("a", "openai"), subject("b", "openai-responses"), subject("c", "codex")]);
    let mut now = at("2026-11-29T13:20:00Z");
    let order = next_order(&mut watch, &mut now);
    assert!(watch.due(now, |_| Interest::Attended).is_empty());
    let document = br#"{"components":[{"name":"Responses","status":"operational"}]}"#.to_vec();
    watch.answered(&order.url, Answer::Document(document, Validators::default()), now);
    watch.set_subjects(&[subject("b", "openai-responses")]);
    let says: BTreeMap<_, _> =
        watch.remarks().into_iter().map(|(target, said)| (target, said[0].says.clone())).collect();
    assert_eq!(says, BTreeMap::from([("b".into(), Says::Good { parts: 1, missing: vec![] })]));
    // An answer for a page that is watched no more is dropped.
    watch.set_subjects(&[]);
    watch.answered(&order.url, Answer::Unchanged, now);
    assert!(watch.remarks().is_empty());
}

#[derive(Clone, Copy, Debug)]
enum Came {
    Good,
    Garbage,
    Unchanged,
    Failed(u32),
}

fn came() -> impl Strategy<Value = Came> {
    prop_oneof![
        3 => Just(Came::Good),
        1 => Just(Came::Garbage),
        1 => Just(Came::Unchanged),
        2 => (0..20_000_u32).prop_map(Came::Failed),
    ]
}

proptest! {
    #![proptest_config(crate::support::properties::cases(256))]

    /// Whatever comes back and however often the watch is asked: no source is asked again within five minutes, never
    /// more than a few at once, none without a reason, and a failing one is asked again within its bounds.
    #[test]
    fn no_source_is_ever_asked_more_often_than_is_polite(
        seed in any::<u64>(),
        steps in proptest::collection::vec((0..400_i64, came(), 0..6_u8), 1..200),
    ) {
        let mut watch = Watch::new(fastrand::Rng::with_seed(seed));
        let subjects: Vec<Subject> = CONCERNS
            .iter()
            .map(|concern| Subject {
                target: concern.providers[0].into(),
                provider: Some(concern.providers[0]),
                model: "m".into(),
                base_url: None,
            })
            .collect();
        watch.set_subjects(&subjects);
        let mut now = at("2026-11-29T00:00:00Z");
        let mut asked: BTreeMap<Url, Timestamp> = BTreeMap::new();
        let mut open: Vec<Order> = Vec::new();
        for (wait, came, interest) in steps {
            now += SignedDuration::from_secs(wait);
            let interest = match interest { 0 => Interest::None, 1 => Interest::Unattended, _ => Interest::Attended };
            let orders = watch.due(now, |_| interest);
            prop_assert!(interest != Interest::None || orders.is_empty());
            for order in orders {
                if let Some(last) = asked.insert(order.url.clone(), now) {
                    prop_assert!(now.duration_since(last) >= EVERY, "{} after {:?}", order.url, now.duration_since(last));
                }
                prop_assert!(!open.iter().any(|other| other.url == order.url));
                open.push(order);
            }
            prop_assert!(open.len() <= AT_ONCE);
            if let Some(order) = open.pop() {
                let answer = match came {
                    Came::Good => Answer::Document(SUMMARY.to_vec(), Validators::default()),
                    Came::Garbage => Answer::Document(b"<html>".to_vec(), Validators::default()),
                    Came::Unchanged => Answer::Unchanged,
                    Came::Failed(wait) => Answer::Failed {
                        silence: Silence::NoAnswer,
                        wait: Some(SignedDuration::from_secs(i64::from(wait))),
                    },
                };
                watch.answered(&order.url, answer, now);
                let longest = LONGEST_BACKOFF.max(SignedDuration::from_hours(6)) * 2;
                prop_assert!(watch.wake_at(|_| Interest::Attended).is_none_or(|at| at < now + longest));
            }
        }
    }
}

#[test]
fn our_table_covers_what_the_settings_can_name() {
    // Every page that can be fetched concerns somebody, or is kept for a provider that has no preset yet.
    let unused: Vec<_> = SOURCES
        .iter()
        .filter(|source| !CONCERNS.iter().any(|concern| concern.page == source.provider))
        .map(|source| source.provider)
        .collect();
    assert_eq!(unused, ["windsurf", "vertex"]);
    assert!(USER_AGENT.starts_with("vacancy/") && Duration::from_secs(300) <= EVERY.unsigned_abs());
}
