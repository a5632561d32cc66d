//! Metrics as a scraper meets them: a strict reader of the text formats, and the server's bounds.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::watch;
use vacancy::clock::{Clock, SystemClock};
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::target::Role;
use vacancy::engine::snapshot::Snapshot;
use vacancy::metrics::families::{Facts, Switches, write};
use vacancy::metrics::server::{Means, Server};
use vacancy::metrics::text::Format;
use vacancy::ui::stage::Stage;

fn now() -> Timestamp {
    "2026-11-29T13:27:00Z".parse().unwrap()
}

const ODD: &str = "a\\b \"c\",\n{d=\"e\"} 模型 #";

fn snapshot() -> Snapshot {
    let mut stage = Stage::afternoon(now(), TimeZone::UTC);
    stage.target(ODD, "near", Some(Role::Backup));
    stage.state(Kind::Available, Scope::Model, 5, "answered");
    let mut snapshot = stage.snapshot();
    let status = Arc::make_mut(&mut snapshot.status);
    let counts = Arc::make_mut(&mut status.counts);
    for entry in &snapshot.board.entries {
        entry.recent.iter().for_each(|sample| counts.sample(sample));
        counts.spent(&entry.target.id, 3, 84);
    }
    counts.notice("recovered");
    snapshot
}

fn text(format: Format, at: Timestamp) -> String {
    let switches = Switches::from([(("codex".to_owned(), "user"), 2)]);
    let facts = Facts {
        snapshot: &snapshot(),
        now: at,
        started_at: now(),
        is_up: true,
        store_bytes: Some(1024),
        switches: &switches,
        version: "1.2.3",
    };
    write(&facts, format)
}

type Series = (String, BTreeMap<String, String>);

/// Reads a text by the rules of its format and no others; panics where one is broken.
fn parse(text: &str, format: Format) -> BTreeMap<Series, f64> {
    let is_open = format == Format::OpenMetrics;
    let body = if is_open { text.strip_suffix("# EOF\n").expect("ends in EOF") } else { text };
    assert!(body.ends_with('\n') && !body.contains("\n\n"));
    let (mut all, mut seen) = (BTreeMap::new(), BTreeSet::new());
    let (mut family, mut kind, mut helped) = (String::new(), String::new(), String::new());
    for line in body.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            helped = rest.split_once(' ').expect("help has words").0.to_owned();
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, word) = rest.split_once(' ').unwrap();
            assert_eq!(name, helped, "type follows its help");
            assert!(seen.insert(name.to_owned()), "{name} stands together and once");
            assert!(
                name.starts_with("vacancy_")
                    && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            );
            let known: &[&str] =
                if is_open { &["gauge", "counter", "histogram", "info"] } else { &["gauge", "counter", "histogram"] };
            assert!(known.contains(&word), "{line}");
            (family, kind) = (name.to_owned(), word.to_owned());
        } else {
            let (series, value) = series(line);
            let suffix = series.0.strip_prefix(&*family).unwrap_or_else(|| panic!("{line} is not of {family}"));
            let allowed: &[&str] = match (&*kind, is_open) {
                ("histogram", _) => &["_bucket", "_sum", "_count"],
                ("counter", true) => &["_total"],
                ("info", true) => &["_info"],
                _ => &[""],
            };
            assert!(allowed.contains(&suffix), "{line}");
            assert!(kind != "counter" || series.0.ends_with("_total"), "{line}");
            assert!(value.is_finite() && (value >= 0.0), "{line}");
            assert!(all.insert(series, value).is_none(), "{line} stands twice");
        }
    }
    all
}

fn series(line: &str) -> (Series, f64) {
    let name_end = line.find(['{', ' ']).unwrap();
    let (name, mut rest) = line.split_at(name_end);
    let mut labels = BTreeMap::new();
    if let Some(inside) = rest.strip_prefix('{') {
        rest = inside;
        loop {
            let (label, after) = rest.split_once("=\"").unwrap();
            assert!(label.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{label}");
            let (mut value, mut chars) = (String::new(), after.char_indices());
            let end = loop {
                match chars.next().expect("a value ends") {
                    (at, '"') => break at,
                    (_, '\\') => value.push(match chars.next().expect("an escape is whole").1 {
                        'n' => '\n',
                        c @ ('\\' | '"') => c,
                        other => panic!("no escape: {other}"),
                    }),
                    (_, c) => value.push(c),
                }
            };
            assert!(labels.insert(label.to_owned(), value).is_none());
            rest = &after[end + 1..];
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => break,
            }
        }
        rest = rest.strip_prefix('}').unwrap();
    }
    let value = rest.strip_prefix(' ').unwrap().parse().unwrap();
    ((name.to_owned(), labels), value)
}

fn of<'a>(
    all: &'a BTreeMap<Series, f64>,
    name: &str,
    label: &str,
    value: &str,
) -> Vec<(&'a BTreeMap<String, String>, f64)> {
    let is_it = |series: &Series| series.0 == name && series.1.get(label).is_some_and(|is| is == value);
    all.iter().filter(|(series, _)| is_it(series)).map(|(series, value)| (&series.1, *value)).collect()
}

#[test]
fn both_formats_are_read_by_their_rules_and_say_the_same() {
    let plain = parse(&text(Format::Prometheus, now()), Format::Prometheus);
    let open = parse(&text(Format::OpenMetrics, now()), Format::OpenMetrics);
    assert_eq!(plain, open);
    assert_eq!(of(&plain, "vacancy_target_free", "target", "codex-plan/gpt-5.6-sol")[0].1, 0.0);
    assert_eq!(of(&plain, "vacancy_target_free", "target", "codex-plan/gpt-6-luna")[0].1, 1.0);
    assert!(of(&plain, "vacancy_target_free", "model", "llama-4-70b").is_empty(), "nobody knows");
    let odd = of(&plain, "vacancy_target_free", "model", ODD);
    assert_eq!((odd.len(), odd[0].1, &*odd[0].0["role"]), (1, 1.0, "backup"));
    let states = of(&plain, "vacancy_target_state", "target", "zhipu/glm-5");
    let is: Vec<&str> =
        states.iter().filter(|(_, value)| *value == 1.0).map(|(labels, _)| &*labels["family"]).collect();
    assert_eq!((states.len(), is), (6, vec!["fault"]));
    let counts = of(&plain, "vacancy_first_token_seconds_bucket", "model", ODD);
    let last = counts.iter().find(|(labels, _)| labels["le"] == "+Inf").unwrap().1;
    assert!(last > 0.0 && last == of(&plain, "vacancy_first_token_seconds_count", "model", ODD)[0].1);
    assert!(
        of(&plain, "vacancy_samples_total", "kind", "available").iter().all(|(labels, _)| labels["source"] == "probe")
    );
    assert_eq!(of(&plain, "vacancy_switches_total", "by", "user")[0].1, 2.0);
    assert_eq!(of(&plain, "vacancy_notices_total", "subject", "recovered")[0].1, 1.0);
}

#[test]
fn what_is_old_is_told_by_nobody_as_free_or_not() {
    let later = now() + jiff::SignedDuration::from_hours(3);
    let all = parse(&text(Format::Prometheus, later), Format::Prometheus);
    let told: Vec<_> =
        all.keys().filter(|(name, _)| name == "vacancy_target_free").map(|(_, labels)| &*labels["model"]).collect();
    assert_eq!(told, ["qwen3-coder"], "only what waits for the user stays as it is");
    assert_eq!(of(&all, "vacancy_target_state", "family", "unknown").iter().map(|(_, value)| value).sum::<f64>(), 7.0);
}

#[test]
fn the_names_are_those_of_the_guide() {
    let all = parse(&text(Format::Prometheus, now()), Format::Prometheus);
    let names: BTreeSet<&str> = all
        .keys()
        .map(|(name, _)| ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name))
        .collect();
    for lang in ["en", "zh-Hans"] {
        let path = format!("{}/assets/guide/{lang}/prometheus.md", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(&path).unwrap();
        for name in &names {
            assert!(page.contains(&format!("`{name}`")), "{name} is not in {path}");
        }
    }
}

fn server() -> (Server, watch::Sender<Snapshot>) {
    let (publish, snapshots) = watch::channel(snapshot());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let means = Means { snapshots, clock, database: PathBuf::from("/nowhere"), data: PathBuf::from("/nowhere") };
    (Server::start(SocketAddr::from(([127, 0, 0, 1], 0)), means).unwrap(), publish)
}

fn ask(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    // A server that has answered before it read all may close with some of it unread.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn the_server_answers_what_it_is_for_and_refuses_the_rest() {
    let (server, publish) = server();
    let get = |path: &str, more: &str| {
        ask(&server, &format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{more}\r\n", server.address()))
    };
    let answer = get("/metrics", "");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/plain; version=0.0.4"), "{head}");
    let up = parse(body, Format::Prometheus).into_iter().find(|((name, _), _)| name == "vacancy_engine_up").unwrap().1;
    assert_eq!(up, 1.0);
    let open = get("/metrics", "Accept: application/openmetrics-text;version=1.0.0\r\n");
    parse(open.split_once("\r\n\r\n").unwrap().1, Format::OpenMetrics);
    for (request, expected) in [
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "200"),
        ("GET /metrics/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
        ("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
        ("POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", "405"),
        ("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", "403"),
        ("HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "200"),
        ("nonsense\r\n\r\n", "400"),
    ] {
        let answer = ask(&server, request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {expected}")), "{request}: {answer}");
    }
    let head = ask(&server, "HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(head.ends_with("\r\n\r\n"), "no body: {head}");
    let big =
        ask(&server, &format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(64 * 1024)));
    assert!(!big.contains("vacancy_"), "a head without end is not answered");
    // The engine is gone, and that is told.
    drop(publish);
    let after = get("/metrics", "");
    assert!(after.contains("\nvacancy_engine_up 0\n"), "{after}");
}

#[test]
fn many_who_say_nothing_do_not_keep_others_out_for_good() {
    let (server, _publish) = server();
    let silent: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    // All places are taken by them until their time is up; then it is the next one's turn.
    let answer = ask(&server, &format!("GET /metrics HTTP/1.1\r\nHost: {}\r\n\r\n", server.address()));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(silent);
}

#[test]
fn an_address_that_is_taken_is_said() {
    let (server, _publish) = server();
    let (_, snapshots) = watch::channel(snapshot());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let means = Means { snapshots, clock, database: PathBuf::from("/nowhere"), data: PathBuf::from("/nowhere") };
    let error = Server::start(server.address(), means).unwrap_err();
    assert!(error.to_string().contains(&server.address().to_string()), "{error}");
}
