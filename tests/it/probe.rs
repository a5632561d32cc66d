//! The prober against servers on this machine that behave in every bad way.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::{BoxFuture, join_all};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use url::Url;
use vacancy::clock::SystemClock;
use vacancy::core::exchange::{BODY_LIMIT, End, Exchange, Phase};
use vacancy::core::target::{Dialect, ModelId, ProviderId};
use vacancy::loopback::{Loopback, Options, Scenario, Tempo};
use vacancy::probe::{Deadlines, Gate, HttpProber, Job, ProbeError, Probed, Prober, Route};
use vacancy::secrets::{KeyRef, Secret, SecretError, Secrets};
use vacancy::wire::endpoint::Endpoint;

pub const KEY: &str = "sk-test-0123456789";

/// Keys by reference.
pub struct Keys(HashMap<KeyRef, String>);

impl Secrets for Keys {
    fn read<'a>(&'a self, key: &'a KeyRef) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        Box::pin(async move {
            match key {
                KeyRef::None => Ok(None),
                KeyRef::Env(name) => {
                    let secret = self.0.get(key).map(|text| Secret::new(text));
                    secret.map(Some).ok_or_else(|| SecretError::EnvUnset { name: name.clone() })
                }
                other => panic!("no test key is kept in {other}"),
            }
        })
    }
}

pub fn key_ref() -> KeyRef {
    KeyRef::Env("TEST_KEY".into())
}

pub fn prober_with(key: &str, gate: Gate) -> HttpProber {
    HttpProber::new(Arc::new(Keys(HashMap::from([(key_ref(), key.to_owned())]))), Arc::new(SystemClock), gate)
}

pub fn prober() -> HttpProber {
    prober_with(KEY, Gate::default())
}

/// Deadlines that a test can wait for; the first byte's is the only one that a healthy answer could miss.
pub fn short() -> Deadlines {
    Deadlines {
        connect: Duration::from_secs(5),
        first_byte: Duration::from_secs(1),
        stall: Duration::from_millis(600),
        total: Duration::from_secs(3),
    }
}

pub fn job(base_url: &str, dialect: Dialect, model: &str) -> Job {
    Job {
        provider: ProviderId::from("p"),
        endpoint: Arc::new(Endpoint::new(Url::parse(base_url).unwrap(), dialect)),
        model: ModelId::from(model),
        key: key_ref(),
        route: Route::default(),
        is_local: false,
        deadlines: None,
    }
}

fn quick_tempo() -> Options {
    let tempo = Tempo { slow: Duration::from_millis(300), beat: Duration::from_millis(20) };
    Options { tempo, ..Options::default() }
}

async fn probe_scenario(loopback: &Loopback, dialect: Dialect, scenario: Scenario) -> Probed {
    let base = loopback.addresses().base_url(dialect, scenario);
    // Only what never ends by itself gets deadlines that a busy machine could miss.
    let never_ends = [Scenario::Hang, Scenario::SlowLoris, Scenario::Stall, Scenario::Endless].contains(&scenario);
    let job = Job { deadlines: never_ends.then(short), ..job(&base, dialect, scenario.name()) };
    prober().probe(&job).await.unwrap()
}

/// Answers every connection with what `answer` makes of the request's head and body.
async fn serve(answer: impl Fn(String) -> Vec<u8> + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let answer = Arc::clone(&answer);
            tokio::spawn(async move {
                let request = read_request(&mut stream).await;
                let _ = stream.write_all(&answer(request)).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    address
}

pub async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let n = stream.read(&mut buffer).await.unwrap_or(0);
        bytes.extend_from_slice(&buffer[..n]);
        let text = String::from_utf8_lossy(&bytes);
        if text.starts_with('\u{5}') {
            // A SOCKS greeting has no end that a reader of HTTP would find.
            return text.into_owned();
        }
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if n == 0 {
                return text.into_owned();
            }
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned))
            .and_then(|length| length.parse().ok())
            .unwrap_or(0);
        if n == 0 || body.len() >= length {
            return text.into_owned();
        }
    }
}

fn phase(exchange: &Exchange) -> Option<Phase> {
    match &exchange.end {
        End::Failed(failure) => failure.phase,
        End::Complete | End::Cut | End::Stalled => None,
    }
}

#[tokio::test]
async fn a_good_answer_has_every_time() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    for dialect in Dialect::PROBED {
        let Probed { exchange, requests, tokens, .. } = probe_scenario(&loopback, dialect, Scenario::Slow).await;
        let timing = exchange.timing;
        assert_eq!((exchange.end, exchange.status, requests), (End::Complete, Some(200), 1), "{dialect}");
        assert!(tokens > 0 && exchange.received_at.is_some(), "{dialect}");
        let points = [timing.connect_ms, timing.headers_ms, timing.first_token_ms, timing.total_ms].map(Option::unwrap);
        assert!(points.is_sorted(), "{dialect}: {points:?}");
        assert!(points[2] >= 300, "{dialect}: the first token is told from the first byte: {points:?}");
    }
}

#[tokio::test]
async fn faults_of_the_connection_are_told_apart() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    for (scenario, expected) in [
        (Scenario::Refused, Phase::Connect),
        (Scenario::BadCertificate, Phase::Tls),
        (Scenario::Hang, Phase::FirstByte),
        (Scenario::SlowLoris, Phase::FirstByte),
        (Scenario::Reset, Phase::FirstByte),
        (Scenario::Closed, Phase::FirstByte),
        (Scenario::Garbage, Phase::FirstByte),
        (Scenario::HugeHeaders, Phase::FirstByte),
    ] {
        let exchange = probe_scenario(&loopback, Dialect::OpenaiChat, scenario).await.exchange;
        assert_eq!(phase(&exchange), Some(expected), "{}: {:?}", scenario.name(), exchange.end);
        assert_eq!(exchange.status, None, "{}", scenario.name());
        assert_eq!(exchange.timing.connect_ms.is_some(), expected == Phase::FirstByte, "{}", scenario.name());
    }
}

#[tokio::test]
async fn answers_that_break_off_say_how() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    for (scenario, end, has_token) in [
        (Scenario::CutBeforeOutput, End::Cut, false),
        (Scenario::CutAfterOutput, End::Cut, true),
        (Scenario::Stall, End::Stalled, false),
        (Scenario::Empty200, End::Complete, false),
    ] {
        let exchange = probe_scenario(&loopback, Dialect::OpenaiChat, scenario).await.exchange;
        assert_eq!((&exchange.end, exchange.status), (&end, Some(200)), "{}", scenario.name());
        assert_eq!(exchange.timing.first_token_ms.is_some(), has_token, "{}", scenario.name());
    }
    let endless = probe_scenario(&loopback, Dialect::OpenaiChat, Scenario::Endless).await.exchange;
    assert_ne!(endless.end, End::Cut);
    assert!(endless.timing.first_token_ms.is_some() && endless.body.len() <= BODY_LIMIT);
}

#[tokio::test]
async fn a_gzip_bomb_is_stopped_at_the_limit() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    let exchange = probe_scenario(&loopback, Dialect::OpenaiChat, Scenario::GzipBomb).await.exchange;
    assert_eq!((exchange.end, exchange.body.len()), (End::Complete, BODY_LIMIT));
}

#[tokio::test]
async fn large_headers_are_kept_in_part() {
    let address = serve(|_| {
        let mut answer = b"HTTP/1.1 503 Busy\r\nretry-after: 7\r\n".to_vec();
        for n in 0..30 {
            answer.extend_from_slice(format!("x-{n}: {}\r\n", "v".repeat(5_000)).as_bytes());
        }
        answer.extend_from_slice(b"content-length: 0\r\n\r\n");
        answer
    })
    .await;
    let exchange = prober().probe(&job(&format!("http://{address}"), Dialect::OpenaiChat, "m")).await.unwrap().exchange;
    assert_eq!((exchange.status, exchange.header("retry-after")), (Some(503), Some("7")));
    let kept: usize = exchange.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
    assert!(kept <= 64 * 1024 && kept > 32 * 1024, "{kept}");
}

#[tokio::test]
async fn keep_alives_do_not_stretch_the_wait() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    // Only the total would end it if keep-alives counted, and that would take longer than any test may.
    let deadlines = Deadlines { total: Duration::from_secs(3600), ..short() };
    let base = loopback.addresses().base_url(Dialect::OpenaiChat, Scenario::Stall);
    let job = Job { deadlines: Some(deadlines), ..job(&base, Dialect::OpenaiChat, Scenario::Stall.name()) };
    assert_eq!(prober().probe(&job).await.unwrap().exchange.end, End::Stalled);
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_dns() {
    // Longer than a name's part may be: the resolver refuses it without asking anybody.
    let name = "a".repeat(70);
    let job = job(&format!("http://{name}.invalid/v1"), Dialect::OpenaiChat, "m");
    let exchange = prober().probe(&job).await.unwrap().exchange;
    assert_eq!(phase(&exchange), Some(Phase::Dns), "{:?}", exchange.end);
    assert!(!format!("{:?}", exchange.end).contains(&name), "the address is no part of the error");
}

#[tokio::test]
async fn redirects_are_answers() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    for (scenario, status) in [(Scenario::Redirect, 308), (Scenario::PortalRedirect, 302)] {
        let before = loopback.request_count();
        let exchange = probe_scenario(&loopback, Dialect::OpenaiChat, scenario).await.exchange;
        assert_eq!(exchange.status, Some(status));
        assert!(exchange.header("location").is_some());
        assert_eq!(loopback.request_count(), before + 1, "the key must not follow a redirect");
    }
}

#[tokio::test]
async fn a_certificate_of_ones_own_is_trusted_when_told() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let ca_file = dir.path().join("ca.pem");
    std::fs::write(&ca_file, loopback.ca_pem()).unwrap();
    let base = format!("{}/v1", loopback.addresses().tls);
    let route = Route { ca_file: Some(ca_file), proxy: None };
    let trusting = Job { route, ..job(&base, Dialect::OpenaiChat, "ok") };
    let exchange = prober().probe(&trusting).await.unwrap().exchange;
    assert_eq!((exchange.end, exchange.status), (End::Complete, Some(200)));

    for (name, text) in [
        ("absent.pem", None),
        ("empty.pem", Some("no certificate")),
        ("broken.pem", Some("-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n")),
    ] {
        let path = dir.path().join(name);
        if let Some(text) = text {
            std::fs::write(&path, text).unwrap();
        }
        let route = Route { ca_file: Some(path), proxy: None };
        let error = prober().probe(&Job { route, ..job(&base, Dialect::OpenaiChat, "ok") }).await.unwrap_err();
        assert!(matches!(error, ProbeError::CaFile { .. }), "{name}: {error}");
    }
}

#[tokio::test]
async fn a_providers_proxy_is_used() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&seen);
    let proxy = serve(move |request| {
        record.lock().unwrap().push(request);
        b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n".to_vec()
    })
    .await;
    let route = |scheme: &str, login: &str| Route { ca_file: None, proxy: Some(format!("{scheme}://{login}{proxy}")) };
    let prober = prober();

    let plain = Job { route: route("http", ""), ..job("http://example.invalid/v1", Dialect::OpenaiChat, "m") };
    assert_eq!(prober.probe(&plain).await.unwrap().exchange.status, Some(502));
    let tunnelled = Job {
        route: route("http", "me:proxy-password@"),
        ..job("https://example.invalid/v1", Dialect::OpenaiChat, "m")
    };
    let failed = prober.probe(&tunnelled).await.unwrap().exchange;
    assert_eq!(phase(&failed), Some(Phase::Connect), "{:?}", failed.end);
    assert!(!format!("{failed:?}").contains("proxy-password"));
    let socks = Job { route: route("socks5h", ""), deadlines: Some(short()), ..plain.clone() };
    assert!(matches!(prober.probe(&socks).await.unwrap().exchange.end, End::Failed(_)));

    let seen = seen.lock().unwrap().clone();
    assert!(seen[0].starts_with("POST http://example.invalid/v1/chat/completions HTTP/1.1\r\n"), "{}", seen[0]);
    assert!(seen[1].starts_with("CONNECT example.invalid:443 HTTP/1.1\r\n"), "{}", seen[1]);
    assert!(!seen[1].contains(KEY), "the key goes through the tunnel alone");
    assert!(seen[2].starts_with('\u{5}'), "a SOCKS 5 greeting: {:?}", seen[2]);

    for bad in ["ftp://127.0.0.1:1", "not an address"] {
        let route = Route { ca_file: None, proxy: Some(bad.to_owned()) };
        let error = prober.probe(&Job { route, ..plain.clone() }).await.unwrap_err();
        assert!(matches!(error, ProbeError::Proxy { .. }), "{bad}");
    }
}

#[tokio::test]
async fn the_shape_of_the_request_is_learnt_once() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    let prober = prober();
    let base = loopback.addresses().base_url(Dialect::OpenaiChat, Scenario::Ok);
    let job = job(&base, Dialect::OpenaiChat, Scenario::MaxTokensUnsupported.name());
    let first = prober.probe(&job).await.unwrap();
    assert_eq!((first.exchange.status, first.requests), (Some(200), 2));
    let second = prober.probe(&job).await.unwrap();
    assert_eq!((second.exchange.status, second.requests), (Some(200), 1));
    let bodies: Vec<_> = loopback.requests().iter().map(vacancy::loopback::Recorded::json).collect();
    assert!(bodies[0].get("max_tokens").is_some());
    assert!(bodies[1..].iter().all(|body| body.get("max_completion_tokens").is_some()));

    let worn = Job { model: ModelId::from(Scenario::CouldNotFinish.name()), ..job };
    assert_eq!(prober.probe(&worn).await.unwrap().requests, 1, "proof of life needs no second request");
    assert_eq!(prober.probe(&worn).await.unwrap().requests, 1);
    let caps: Vec<_> = loopback.requests()[3..].iter().map(|request| request.json()["max_tokens"].as_u64()).collect();
    assert_eq!(caps, [Some(64), Some(256)]);
}

#[tokio::test]
async fn a_missing_key_sends_nothing() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    let base = loopback.addresses().base_url(Dialect::OpenaiChat, Scenario::Ok);
    let keyless = Job { key: KeyRef::Env("ABSENT".into()), ..job(&base, Dialect::OpenaiChat, "ok") };
    let error = prober().probe(&keyless).await.unwrap_err();
    assert_eq!(error, ProbeError::Key(SecretError::EnvUnset { name: "ABSENT".into() }));
    assert_eq!(loopback.request_count(), 0);
    let none = Job { key: KeyRef::None, ..job(&base, Dialect::OpenaiChat, "ok") };
    assert_eq!(prober().probe(&none).await.unwrap().exchange.status, Some(200));
    assert_eq!(loopback.requests()[0].header("authorization"), None);
}

#[tokio::test]
async fn a_credential_is_used_by_one_probe_at_a_time() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    let base = loopback.addresses().base_url(Dialect::OpenaiChat, Scenario::Slow);
    let prober = prober_with(KEY, Gate::new(8, 1));
    let same: Vec<_> = (0..3).map(|_| job(&base, Dialect::OpenaiChat, Scenario::Slow.name())).collect();
    let began = tokio::time::Instant::now();
    join_all(same.iter().map(|job| prober.probe(job))).await;
    assert!(began.elapsed() >= Duration::from_millis(900), "three slow answers, one after the other");
}

fn echo(request: String) -> Vec<u8> {
    let key =
        request.lines().find_map(|line| line.strip_prefix("authorization: Bearer ")).unwrap_or_default().to_owned();
    let body =
        serde_json::json!({ "error": { "message": format!("Incorrect API key provided: {key}"), "request": request } });
    let body = body.to_string();
    format!("HTTP/1.1 401 Unauthorized\r\nx-echo: {key}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

proptest! {
    #![proptest_config(crate::support::properties::cases(24))]

    #[test]
    fn no_key_is_ever_seen_again(key in "[!-~]{8,80}") {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let address = serve(echo).await;
            let prober = prober_with(&key, Gate::default());
            let echoed = job(&format!("http://{address}"), Dialect::OpenaiChat, "m");
            let mut refused = job("http://127.0.0.1:1", Dialect::Gemini, "m");
            let mut endpoint = (*refused.endpoint).clone();
            endpoint.query = vec![("key".into(), "{key}".into())];
            refused.endpoint = Arc::new(endpoint);
            let in_query: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
            for job in [&echoed, &refused] {
                let probed = prober.probe(job).await.unwrap();
                let shown = format!("{:?} {job:?} {}", probed, String::from_utf8_lossy(&probed.exchange.body));
                assert!(!shown.contains(&key) && !shown.contains(&in_query), "{shown}");
            }
            let answer = prober.probe(&echoed).await.unwrap().exchange;
            assert_eq!(answer.status, Some(401));
            assert_eq!(answer.header("x-echo"), Some("[key]"));
        });
    }
}

/// A settings file, and the program run with it.
struct Cli {
    dir: tempfile::TempDir,
}

impl Cli {
    fn new(settings: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("config")).unwrap();
        std::fs::write(dir.path().join("config/vacancy.toml"), settings).unwrap();
        Self { dir }
    }

    /// Exit code, standard output and standard error, without blocking the runtime that the provider runs on.
    async fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        self.run_with(arguments, &[]).await
    }

    async fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
        let mut command = assert_cmd::Command::cargo_bin("vacancy").unwrap();
        // A proxy for everything that nobody answers at: what is on this machine must not go through it.
        command
            .args(["--lang", "en", "--data"])
            .arg(self.dir.path())
            .arg("probe")
            .args(arguments)
            .env("CLI_KEY", KEY)
            .env("http_proxy", "http://127.0.0.1:1")
            .env_remove("NO_PROXY")
            .env_remove("no_proxy")
            .envs(variables.iter().copied());
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

fn cli_settings(base: &str, targets: &[(&str, &str)]) -> String {
    let mut text = format!(
        "[[provider]]\nid = \"p\"\ndialect = \"openai-chat\"\nbase_url = \"{base}/v1\"\nkey = {{ env = \"CLI_KEY\" }}\n"
    );
    for (id, model) in targets {
        text.push_str(&format!("[[target]]\nid = \"{id}\"\nprovider = \"p\"\nmodel = \"{model}\"\n"));
    }
    text
}

#[tokio::test]
async fn the_verb_prints_a_line_a_target_and_records_it() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    let cli = Cli::new(&cli_settings(&loopback.addresses().plain, &[("good", "ok"), ("full", "overloaded-503")]));
    let (code, out, err) = cli.run(&["--json"]).await;
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = lines[0].as_object().unwrap().keys().map(String::as_str).collect();
    let contract =
        "target kind scope retry_after_s wait_helps switch_helps rule http_status connect_ms first_token_ms total_ms";
    assert_eq!(names, contract.split(' ').collect::<Vec<_>>());
    assert_eq!((&lines[0]["target"], &lines[0]["kind"]), (&"good".into(), &"available".into()));
    assert_eq!((&lines[1]["target"], &lines[1]["kind"]), (&"full".into(), &"at_capacity".into()));
    assert_eq!((&lines[1]["http_status"], &lines[1]["first_token_ms"]), (&503.into(), &serde_json::Value::Null));
    assert!(lines[0]["first_token_ms"].is_u64() && lines[0]["connect_ms"].is_u64());

    let (code, out, _) = cli.run(&["full"]).await;
    assert_eq!(code, 5, "nothing is free");
    assert!(out.starts_with("full: At capacity · this model only · HTTP 503 · "), "{out}");

    let database = cli.dir.path().join("data/vacancy.sqlite");
    let reader = vacancy::store::Reader::open(&database, Duration::from_secs(5)).unwrap();
    assert_eq!(reader.recent(&"full".into(), 10).unwrap().len(), 2);
    assert_eq!(reader.recent(&"good".into(), 10).unwrap().len(), 1);
    let bytes = std::fs::read(&database).unwrap();
    assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()));
}

#[tokio::test]
async fn the_verb_prints_commands_without_sending_or_key() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    let cli = Cli::new(&cli_settings(&loopback.addresses().plain, &[("good", "ok")]));
    let (code, out, _) = cli.run(&["--curl", "good"]).await;
    assert_eq!((code, loopback.request_count()), (0, 0));
    assert!(out.contains("${CLI_KEY}") && !out.contains(KEY), "{out}");
}

#[tokio::test]
async fn the_verb_says_what_is_wrong_with_what_it_was_told() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    let settings = cli_settings(&loopback.addresses().plain, &[("good", "ok")]);
    let (code, _, err) = Cli::new(&settings).run(&["bad"]).await;
    assert_eq!(code, 2);
    assert!(err.contains("bad") && err.contains("good"), "{err}");
    // A model's name does where one target alone has it.
    let (code, out, _) = Cli::new(&settings).run(&["--curl", "ok"]).await;
    assert_eq!(code, 0, "{out}");
    let twice = cli_settings(&loopback.addresses().plain, &[("one", "ok"), ("other", "ok")]);
    assert_eq!(Cli::new(&twice).run(&["--curl", "ok"]).await.0, 2);
    let keyless = Cli::new(&settings.replace("CLI_KEY", "NO_SUCH_KEY"));
    let (code, out, _) = keyless.run(&[]).await;
    assert_eq!((code, loopback.request_count()), (5, 0));
    assert!(out.starts_with("good: No key found") && out.contains("NO_SUCH_KEY"), "{out}");
    let (code, _, err) = Cli::new("[[provider]]\nid = 7\n").run(&[]).await;
    assert_eq!(code, 2);
    assert!(err.contains("vacancy.toml:2"), "{err}");
}

#[tokio::test]
async fn the_systems_proxy_and_trust_file_are_honoured() {
    let loopback = Loopback::start(quick_tempo()).await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let roots = dir.path().join("roots.pem");
    std::fs::write(&roots, loopback.ca_pem()).unwrap();
    let behind_tls = Cli::new(&cli_settings(&loopback.addresses().tls, &[("good", "ok")]));
    let (code, out, _) = behind_tls.run(&[]).await;
    assert_eq!(code, 5, "{out}");
    assert!(out.starts_with("good: Network trouble · this machine"), "{out}");
    let (code, out, err) = behind_tls.run_with(&[], &[("SSL_CERT_FILE", roots.to_str().unwrap())]).await;
    assert_eq!(code, 0, "{out}{err}");

    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&seen);
    let proxy = serve(move |request| {
        record.lock().unwrap().push(request);
        b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n".to_vec()
    })
    .await;
    let far = Cli::new(&cli_settings("http://far.invalid", &[("far", "ok")]));
    let (code, out, _) = far.run_with(&["--json"], &[("http_proxy", &format!("http://{proxy}"))]).await;
    assert_eq!(code, 5);
    assert!(out.contains(r#""http_status":407"#) && out.contains(r#""kind":"network""#), "{out}");
    assert!(seen.lock().unwrap()[0].starts_with("POST http://far.invalid/v1/chat/completions "));
}

#[tokio::test]
async fn literal_credentials_are_not_seen_again_either() {
    let address = serve(|request| {
        let body = serde_json::json!({ "error": { "message": request } }).to_string();
        format!("HTTP/1.1 400 Bad Request\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
    })
    .await;
    let mut echoed = job(&format!("http://{address}"), Dialect::OpenaiChat, "m");
    let mut endpoint = (*echoed.endpoint).clone();
    endpoint.headers =
        vec![("X-Gateway-Token".into(), "Basic literal-credential".into()), ("x-team".into(), "blue-team-9".into())];
    endpoint.query = vec![("api_key".into(), "literal parameter".into())];
    echoed.endpoint = Arc::new(endpoint);
    let exchange = prober().probe(&echoed).await.unwrap().exchange;
    let body = String::from_utf8(exchange.body).unwrap();
    assert!(body.contains("blue-team-9") && body.contains("[key]"), "{body}");
    for secret in ["literal-credential", "literal+parameter", "parameter", KEY] {
        assert!(!body.contains(secret), "{secret}: {body}");
    }
}
