//! The loopback provider answers at the wire as its scenarios state.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use vacancy::clock::SystemClock;
use vacancy::core::classify::{RuleSet, classify};
use vacancy::core::outcome::{Kind, Outcome};
use vacancy::core::target::{Dialect, ModelId, ProviderId};
use vacancy::loopback::settings::settings_file;
use vacancy::loopback::{Loopback, LoopbackThread, Options, Plan, Reply, Scenario, Tempo};
use vacancy::probe::gate::Gate;
use vacancy::probe::http::HttpProber;
use vacancy::probe::{Deadlines, Job, Prober as _, Route};
use vacancy::secrets::{KeyRef, Secret, SecretError, Secrets};
use vacancy::settings::SettingsFile;
use vacancy::wire::endpoint::Endpoint;

/// Quick enough for a test, slow enough that a beat can be told from the next.
const TEMPO: Tempo = Tempo { slow: Duration::from_millis(300), beat: Duration::from_millis(30) };

async fn start() -> Loopback {
    Loopback::start(Options { tempo: TEMPO, ..Options::default() }).await.unwrap()
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

fn request(loopback: &Loopback, dialect: Dialect, model: &str) -> (String, Value) {
    let base = loopback.addresses().base_url(dialect, Scenario::Ok);
    match dialect {
        Dialect::OpenaiChat | Dialect::Generic => {
            (format!("{base}/chat/completions"), json!({"model": model, "stream": true, "max_completion_tokens": 16}))
        }
        Dialect::OpenaiResponses => (format!("{base}/responses"), json!({"model": model, "stream": true})),
        Dialect::AnthropicMessages => (format!("{base}/v1/messages"), json!({"model": model, "stream": true})),
        Dialect::Gemini => (format!("{base}/v1beta/models/{model}:streamGenerateContent?alt=sse"), json!({})),
        Dialect::OllamaChat => (format!("{base}/api/chat"), json!({"model": model})),
    }
}

async fn ask(loopback: &Loopback, dialect: Dialect, model: &str) -> reqwest::Result<reqwest::Response> {
    let (url, body) = request(loopback, dialect, model);
    client().post(url).json(&body).timeout(Duration::from_secs(60)).send().await
}

/// Whether the body shows an output of the dialect.
fn has_output(dialect: Dialect, body: &str) -> bool {
    let mark = match dialect {
        Dialect::OpenaiChat | Dialect::Generic => r#""content":"Hello""#,
        Dialect::OpenaiResponses => r#""delta":"Hello""#,
        Dialect::AnthropicMessages | Dialect::Gemini => r#""text":"Hello""#,
        Dialect::OllamaChat => r#""content":"Hello""#,
    };
    body.contains(mark)
}

#[tokio::test]
async fn every_dialect_answers_and_is_recorded() {
    let loopback = start().await;
    for dialect in Dialect::PROBED {
        let response = ask(&loopback, dialect, "some-model").await.unwrap();
        assert_eq!(response.status(), 200, "{dialect}");
        let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
        let expected = if dialect == Dialect::OllamaChat { "application/x-ndjson" } else { "text/event-stream" };
        assert_eq!(kind, expected, "{dialect}");
        assert!(has_output(dialect, &response.text().await.unwrap()), "{dialect}");
    }
    let requests = loopback.requests();
    assert_eq!(requests.len(), 5);
    assert_eq!(requests[0].path, "/v1/chat/completions");
    assert_eq!(requests[0].header("Content-Type"), Some("application/json"));
    assert_eq!(requests[0].json()["model"], "some-model");
    assert_eq!(requests[3].query, "alt=sse");
    loopback.shutdown().await;
}

#[tokio::test]
async fn every_scenario_has_its_status_in_every_dialect() {
    let loopback = start().await;
    let statuses = [
        (Scenario::Overloaded503, 503),
        (Scenario::Overloaded529, 529),
        (Scenario::Rate429, 429),
        (Scenario::UsageLimit429, 429),
        (Scenario::Forbidden403, 403),
        (Scenario::Waf403, 403),
        (Scenario::NotFound404, 404),
        (Scenario::WrongPath404, 404),
        (Scenario::BadRequest400, 400),
        (Scenario::Error500, 500),
        (Scenario::BadGateway502, 502),
        (Scenario::GatewayTimeout504, 504),
        (Scenario::WebPage200, 200),
        (Scenario::PortalPage, 200),
        (Scenario::PortalRedirect, 302),
        (Scenario::Redirect, 308),
        (Scenario::ErrorIn200Json, 200),
        (Scenario::ErrorIn200Stream, 200),
        (Scenario::Empty200, 200),
    ];
    for (scenario, status) in statuses {
        for dialect in Dialect::PROBED {
            let response = ask(&loopback, dialect, scenario.name()).await.unwrap();
            assert_eq!(response.status(), status, "{scenario:?} {dialect}");
            let is_hinted = response.headers().get("retry-after").is_some();
            assert!(is_hinted || scenario != Scenario::Rate429, "{dialect}");
            let body = response.text().await.unwrap();
            assert_eq!(body.is_empty(), matches!(scenario, Scenario::Empty200 | Scenario::Redirect), "{scenario:?}");
            assert!(!has_output(dialect, &body), "{scenario:?} {dialect}");
        }
    }
}

#[tokio::test]
async fn connections_fail_as_their_scenario_says() {
    let loopback = start().await;
    for dialect in Dialect::PROBED {
        for scenario in [Scenario::Reset, Scenario::Closed, Scenario::HugeHeaders, Scenario::Garbage] {
            let error = ask(&loopback, dialect, scenario.name()).await.unwrap_err();
            assert!(!error.is_timeout() && !error.is_connect(), "{scenario:?} {dialect}: {error:?}");
            if scenario == Scenario::Reset {
                assert!(format!("{error:?}").contains("ConnectionReset"), "{error:?}");
            }
        }
        for (scenario, has_some) in [(Scenario::CutBeforeOutput, false), (Scenario::CutAfterOutput, true)] {
            let mut response = ask(&loopback, dialect, scenario.name()).await.unwrap();
            assert_eq!(response.status(), 200);
            let mut body = Vec::new();
            let end = loop {
                match response.chunk().await {
                    Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                    end => break end,
                }
            };
            assert!(end.is_err(), "{scenario:?} {dialect}: the transfer must lack its end");
            assert_eq!(has_output(dialect, &String::from_utf8(body).unwrap()), has_some, "{scenario:?} {dialect}");
        }
    }
    let refused = client().get(&loopback.addresses().refused).send().await.unwrap_err();
    assert!(refused.is_connect(), "{refused:?}");
}

#[tokio::test]
async fn silent_scenarios_stay_silent_until_the_client_leaves() {
    let loopback = start().await;
    for scenario in [Scenario::Hang, Scenario::SlowLoris] {
        let (url, body) = request(&loopback, Dialect::OpenaiChat, scenario.name());
        let asked = client().post(url).json(&body).timeout(Duration::from_millis(400)).send().await;
        assert!(asked.unwrap_err().is_timeout(), "{scenario:?}");
    }
    let mut stalled = ask(&loopback, Dialect::OpenaiChat, Scenario::Stall.name()).await.unwrap();
    for _ in 0..3 {
        assert_eq!(stalled.chunk().await.unwrap().unwrap(), ": keep-alive\n\n");
    }
    let mut endless = ask(&loopback, Dialect::OpenaiChat, Scenario::Endless.name()).await.unwrap();
    for _ in 0..20 {
        assert!(!endless.chunk().await.unwrap().unwrap().is_empty());
    }
    // All tasks end, also those of connections that are still open.
    loopback.shutdown().await;
}

#[tokio::test]
async fn the_first_token_of_slow_comes_after_the_headers() {
    let loopback = start().await;
    for dialect in Dialect::PROBED {
        let begun = tokio::time::Instant::now();
        let mut response = ask(&loopback, dialect, "slow").await.unwrap();
        let mut body = String::new();
        while !has_output(dialect, &body) {
            body += std::str::from_utf8(&response.chunk().await.unwrap().expect("output comes")).unwrap();
        }
        assert!(begun.elapsed() >= TEMPO.slow, "{dialect}");
    }
}

#[tokio::test]
async fn a_stream_arrives_in_pieces() {
    let loopback = start().await;
    let mut response = ask(&loopback, Dialect::OpenaiChat, "overload-sentence").await.unwrap();
    let mut chunks = Vec::new();
    while let Some(chunk) = response.chunk().await.unwrap() {
        chunks.push(String::from_utf8(chunk.to_vec()).unwrap());
    }
    assert!(chunks.len() >= 4, "{chunks:?}");
    assert!(chunks.iter().any(|chunk| !chunk.ends_with("\n\n")), "an event is split: {chunks:?}");
}

#[tokio::test]
async fn tls_is_refused_unless_its_issuer_is_trusted() {
    let loopback = start().await;
    let base = loopback.addresses().base_url(Dialect::OpenaiChat, Scenario::BadCertificate);
    let url = format!("{base}/models");
    let error = client().get(&url).send().await.unwrap_err();
    assert!(format!("{error:?}").contains("UnknownIssuer"), "{error:?}");
    let issuer = reqwest::Certificate::from_pem(loopback.ca_pem().as_bytes()).unwrap();
    let trusting = reqwest::Client::builder().no_proxy().tls_certs_only([issuer]).build().unwrap();
    let list: Value = trusting.get(&url).send().await.unwrap().json().await.unwrap();
    assert!(list["data"].as_array().unwrap().iter().any(|model| model["id"] == "overloaded-503"));
}

#[tokio::test]
async fn control_comes_before_the_plan_and_the_plan_before_the_name() {
    let plan: Arc<dyn Plan> =
        Arc::new(|model: &str, _: Duration| (model == "planned").then_some(Reply::from(Scenario::Overloaded503)));
    let options = Options { plan: Some(plan), default: Scenario::NotFound404, ..Options::default() };
    let loopback = Loopback::start(options).await.unwrap();
    let status = async |model| ask(&loopback, Dialect::OpenaiChat, model).await.unwrap().status().as_u16();
    assert_eq!(status("planned").await, 503);
    assert_eq!(status("stranger").await, 404);
    assert_eq!(status("stranger@ok").await, 200);
    loopback.set("planned", Scenario::Rate429);
    assert_eq!(status("planned").await, 429);
    loopback.clear("planned");
    assert_eq!(status("planned").await, 503);
    loopback.wait_for_requests(5).await;
    assert_eq!(loopback.request_count(), 5);
}

#[tokio::test]
async fn a_small_bomb_is_large() {
    let loopback = start().await;
    // Raw, so that nothing unpacks it.
    let body = json!({"model": "gzip-bomb"}).to_string();
    let packed = tokio::task::spawn_blocking({
        let address = loopback.addresses().plain.trim_start_matches("http://").to_owned();
        move || {
            let mut stream = TcpStream::connect(address).unwrap();
            write!(
                stream,
                "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            )
            .unwrap();
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).unwrap();
            bytes.len()
        }
    })
    .await
    .unwrap();
    assert!((1_048_576..1_100_000).contains(&packed), "{packed}");
    let mut unpacked = ask(&loopback, Dialect::OpenaiChat, "gzip-bomb").await.unwrap();
    let mut seen = 0;
    while seen < 8 * packed {
        let chunk = unpacked.chunk().await.unwrap().expect("there is more");
        assert!(chunk.iter().all(|&byte| byte == 0));
        seen += chunk.len();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_hundred_connections_at_once_are_served() {
    let loopback = LoopbackThread::start(Options::default()).unwrap();
    // Client and server share the process, and 1,024 open files are a common limit; the bench takes 1,000.
    let client = client();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..400 {
        let (url, body) = request(&loopback, Dialect::OpenaiChat, "ok");
        let client = client.clone();
        tasks.spawn(async move { client.post(url).json(&body).send().await.unwrap().text().await.unwrap() });
    }
    let mut finished = 0;
    while let Some(body) = tasks.join_next().await {
        assert!(has_output(Dialect::OpenaiChat, &body.unwrap()));
        finished += 1;
    }
    assert_eq!(finished, 400);
    assert_eq!(loopback.request_count(), 400);
}

/// The keys of the loopback provider: none.
struct NoSecrets;

impl Secrets for NoSecrets {
    fn read<'a>(&'a self, _key: &'a KeyRef) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        Box::pin(async { Ok(None) })
    }
}

/// What the real prober and classifier make of a scenario.
async fn verdict(loopback: &Loopback, prober: &HttpProber, dialect: Dialect, scenario: Scenario) -> Outcome {
    let silent = matches!(scenario, Scenario::Hang | Scenario::Stall | Scenario::SlowLoris);
    let patience = Duration::from_secs(if silent { 1 } else { 60 });
    let job = Job {
        provider: ProviderId::from(format!("{dialect}-{}", scenario.name())),
        endpoint: Arc::new(Endpoint::new(loopback.addresses().base_url(dialect, scenario).parse().unwrap(), dialect)),
        model: ModelId::from(scenario.name()),
        key: KeyRef::None,
        route: Route::default(),
        is_local: false,
        deadlines: Some(Deadlines {
            connect: Duration::from_secs(60),
            first_byte: patience,
            stall: patience,
            total: patience * 2,
        }),
    };
    let probed = prober.probe(&job).await.unwrap();
    classify(dialect, &probed.exchange, &RuleSet::builtin())
}

#[tokio::test]
async fn every_scenario_gets_its_kind_and_scope_in_every_dialect() {
    let loopback = start().await;
    let prober = HttpProber::new(Arc::new(NoSecrets), Arc::new(SystemClock), Gate::new(8, 8));
    let mut table = format!("{:<24}", "scenario");
    for dialect in Dialect::PROBED {
        table += &format!("{:<26}", dialect.name());
    }
    table.push('\n');
    let (mut wrong, mut false_up, mut false_down) = (Vec::new(), 0, 0);
    for &scenario in Scenario::ALL {
        table += &format!("{:<24}", scenario.name());
        let outcomes = Dialect::PROBED.map(|dialect| verdict(&loopback, &prober, dialect, scenario));
        for (dialect, outcome) in Dialect::PROBED.into_iter().zip(futures_util::future::join_all(outcomes).await) {
            let (kind, scope) = scenario.expected(dialect);
            table += &format!("{:<26}", format!("{} {}", outcome.kind.name(), outcome.scope.name()));
            let is_up = |kind| kind == Kind::Available;
            false_up += u32::from(is_up(outcome.kind) && !is_up(kind));
            false_down += u32::from(!is_up(outcome.kind) && is_up(kind));
            if (outcome.kind, outcome.scope) != (kind, scope) {
                wrong.push(format!(
                    "{} {dialect}: {kind} {}, not {} {} (rule {})",
                    scenario.name(),
                    scope.name(),
                    outcome.kind,
                    outcome.scope.name(),
                    outcome.rule
                ));
            }
        }
        table.push('\n');
    }
    let cases = Scenario::ALL.len() * Dialect::PROBED.len();
    println!("{table}\n{cases} cases, {false_up} false up, {false_down} false down, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A hint, a time, and a request that learns are part of an answer too.
#[tokio::test]
async fn hints_and_times_come_through_the_prober() {
    let loopback = start().await;
    let prober = HttpProber::new(Arc::new(NoSecrets), Arc::new(SystemClock), Gate::default());
    for dialect in Dialect::PROBED {
        let limited = verdict(&loopback, &prober, dialect, Scenario::Rate429).await;
        assert_eq!(limited.retry_after, Some(Duration::from_secs(20)), "{dialect}");
        loopback.set("overloaded-503", Reply { retry_after_s: Some(7), ..Scenario::Overloaded503.into() });
        let full = verdict(&loopback, &prober, dialect, Scenario::Overloaded503).await;
        assert_eq!(full.retry_after, Some(Duration::from_secs(7)), "{dialect}");
    }
    let before = loopback.request_count();
    for _ in 0..2 {
        let learnt = verdict(&loopback, &prober, Dialect::OpenaiChat, Scenario::MaxTokensUnsupported).await;
        assert_eq!(learnt.kind, Kind::Available);
    }
    assert_eq!(loopback.request_count() - before, 3, "the second probe knows what the first one learnt");
}

#[test]
fn the_settings_file_of_all_scenarios_is_valid() {
    let loopback = LoopbackThread::start(Options::default()).unwrap();
    let text = settings_file(loopback.addresses(), &Dialect::PROBED);
    let settings = SettingsFile::parse("vacancy.toml".as_ref(), text).resolve().unwrap();
    assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
    assert_eq!(settings.targets.len(), Scenario::ALL.len() * Dialect::PROBED.len());
    assert!(settings.providers.iter().all(|provider| provider.is_local));
}

/// `vacancy demo --serve` says where it is, serves, and ends when asked to.
#[cfg(unix)]
#[test]
fn the_program_serves_in_the_foreground() {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_vacancy"))
        .args(["--lang", "en", "demo", "--serve", "--port", "0"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines().map(Result::unwrap);
    let base =
        lines.by_ref().find_map(|line| Some(line.trim().strip_prefix("openai-chat")?.trim().to_owned())).unwrap();
    let address = base.trim_start_matches("http://").trim_end_matches("/v1");
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("overloaded-503"), "{answer}");
    let hint = lines.find(|line| line.contains("demo --settings --port")).unwrap();
    assert!(hint.ends_with(address.rsplit(':').next().unwrap()), "{hint}");
    let asked = std::process::Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap();
    assert!(asked.success());
    assert!(program.wait().unwrap().success());
}
