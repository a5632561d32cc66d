//! The loopback provider answers at the wire as its scenarios state.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use vacancy::core::target::Dialect;
use vacancy::loopback::{Loopback, LoopbackThread, Options, Plan, Reply, Scenario, Tempo};

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
    let plan: std::sync::Arc<dyn Plan> = std::sync::Arc::new(|model: &str, _: Duration| {
        (model == "planned").then_some(Reply::from(Scenario::Overloaded503))
    });
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
