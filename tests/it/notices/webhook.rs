//! The webhook: what is posted, when it is posted again, and that the address stays a secret.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use serde_json::Value;
use url::Url;
use vacancy::clock::{Clock, SystemClock};
use vacancy::notify::Notifier as _;
use vacancy::notify::config::{Address, Webhook};
use vacancy::notify::form::Form;
use vacancy::notify::webhook::{Posted, Poster, WebhookError};
use vacancy::secrets::KeyRef;

use super::{LIMIT, means, message, settings, start};

/// Waits are noted and not waited for.
#[derive(Default)]
struct Quick(Mutex<Vec<Duration>>);

impl Clock for Quick {
    fn now(&self) -> Timestamp {
        "2026-03-01T12:00:00Z".parse().unwrap()
    }

    fn sleep(&self, wait: Duration) -> BoxFuture<'static, ()> {
        self.0.lock().unwrap().push(wait);
        Box::pin(std::future::ready(()))
    }
}

/// What was asked: method and path, and the body.
type Asked = (String, Value);

/// Answers each request with the next of `answers`, the last for ever.
fn serve(answers: &'static [&'static str]) -> (u16, Receiver<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, asked) = sync_channel(64);
    let work = move || {
        for (index, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            sender.send(read(&mut stream)).unwrap();
            let answer = answers.get(index).or(answers.last()).unwrap();
            let (head, body) = answer.split_once('|').unwrap_or((answer, ""));
            let head = head.replace(';', "\r\n");
            let text = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
            stream.write_all(text.as_bytes()).unwrap();
        }
    };
    std::thread::Builder::new().name("mock-service".into()).spawn(work).unwrap();
    (port, asked)
}

fn read(stream: &mut TcpStream) -> Asked {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let first = first.trim_end_matches(" HTTP/1.1\r\n").to_owned();
    (first, serde_json::from_slice(&body).unwrap())
}

fn post(form: Form, address: &str) -> (Result<Posted, WebhookError>, Vec<Duration>) {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(Quick::default());
    let means = means(folder.path(), &[("HOOK_ADDRESS", address)]);
    let poster = Poster::new(Arc::clone(&means.secrets), Arc::clone(&clock) as _);
    let webhook = Webhook { url: Address::Kept(KeyRef::Env("HOOK_ADDRESS".to_owned())), form };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let posted = runtime.block_on(poster.post(&webhook, &message(5)));
    let waits = clock.0.lock().unwrap().clone();
    (posted, waits)
}

#[test]
fn every_form_is_posted_and_its_answer_read() {
    let cases: [(Form, &str, &'static [&'static str]); 9] = [
        (Form::Json, "/in", &["204 No Content"]),
        (Form::Slack, "/services/T/B/s", &["200 OK|ok"]),
        (Form::Discord, "/api/webhooks/1/s", &["204 No Content"]),
        (Form::Teams, "/workflows/s?sig=1", &["202 Accepted"]),
        (Form::Ntfy, "/topic", &["200 OK|{\"id\":\"x\"}"]),
        (Form::Telegram, "/bot1:s/sendMessage?chat_id=4", &["200 OK|{\"ok\":true}"]),
        (Form::Feishu, "/open-apis/bot/v2/hook/s", &["200 OK|{\"code\":0}"]),
        (Form::Dingtalk, "/robot/send?access_token=s", &["200 OK|{\"errcode\":0}"]),
        (Form::Wecom, "/cgi-bin/webhook/send?key=s", &["200 OK|{\"errcode\":0}"]),
    ];
    for (form, path, answers) in cases {
        let (port, asked) = serve(answers);
        let address = format!("http://127.0.0.1:{port}{path}");
        let (posted, waits) = post(form, &address);
        assert!(matches!(posted, Ok(Posted { tries: 1, .. })), "{form:?}: {posted:?}");
        assert!(waits.is_empty());
        let (first, body) = asked.recv_timeout(LIMIT).unwrap();
        let expected = form.post(&Url::parse(&address).unwrap(), &message(5)).unwrap();
        let at = &expected.url[url::Position::BeforePath..url::Position::AfterQuery];
        assert_eq!(first, format!("POST {at}"), "{form:?}");
        assert_eq!(body.to_string(), expected.body);
    }
}

#[test]
fn a_busy_service_is_asked_again_when_it_says_and_not_for_ever() {
    let (port, asked) = serve(&["503 Busy", "429 Too Many Requests;Retry-After: 30", "200 OK"]);
    let (posted, waits) = post(Form::Json, &format!("http://127.0.0.1:{port}/secret-path"));
    assert_eq!(posted, Ok(Posted { status: 200, tries: 3 }));
    assert!(waits[0] >= Duration::from_millis(1_500) && waits[0] <= Duration::from_millis(2_500), "{waits:?}");
    assert_eq!(waits[1], Duration::from_secs(30));
    let bodies: Vec<Value> = (0..3).map(|_| asked.recv_timeout(LIMIT).unwrap().1).collect();
    assert!(bodies.iter().all(|body| body["id"] == 5), "the same notice, by its id");

    let (port, asked) = serve(&["502 Bad Gateway"]);
    let (posted, waits) = post(Form::Json, &format!("http://127.0.0.1:{port}/"));
    assert_eq!(posted, Err(WebhookError::Busy { status: 502, tries: 4 }));
    assert_eq!(waits.len(), 3);
    assert!(waits.is_sorted(), "later each time: {waits:?}");
    assert_eq!(asked.try_iter().count(), 4);

    // An hour from now nobody wants the news; a date is read as well.
    for hint in ["429 Slow;Retry-After: 3600", "503 Slow;Retry-After: Sun, 01 Mar 2026 13:00:00 GMT"] {
        let (port, _asked) = serve(Vec::leak(vec![hint]));
        let (posted, waits) = post(Form::Json, &format!("http://127.0.0.1:{port}/"));
        assert!(matches!(posted, Err(WebhookError::Busy { tries: 1, .. })), "{posted:?}");
        assert!(waits.is_empty());
    }
    let (port, _asked) = serve(&["429 Slow|{\"ok\":false,\"parameters\":{\"retry_after\":9}}", "200 OK|{\"ok\":true}"]);
    let (posted, waits) = post(Form::Telegram, &format!("http://127.0.0.1:{port}/bot/sendMessage?chat_id=1"));
    assert_eq!((posted, waits), (Ok(Posted { status: 200, tries: 2 }), vec![Duration::from_secs(9)]));
}

#[test]
fn what_is_refused_is_not_posted_again_and_redirects_lead_nowhere() {
    for (form, answer, status) in [
        (Form::Json, "404 Not Found|no such hook", 404),
        (Form::Json, "302 Found;Location: http://127.0.0.1:9/elsewhere", 302),
        (Form::Feishu, "200 OK|{\"code\":19024,\"msg\":\"Key Words Not Found\"}", 200),
    ] {
        let (port, asked) = serve(Vec::leak(vec![answer]));
        let (posted, waits) = post(form, &format!("http://127.0.0.1:{port}/"));
        assert!(matches!(posted, Err(WebhookError::Refused { status: got, .. }) if got == status), "{posted:?}");
        assert!(waits.is_empty());
        assert_eq!(asked.try_iter().count(), 1);
    }
}

#[test]
fn no_error_tells_the_address() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (busy, _asked) = serve(&["500 Oops"]);
    let (deaf, _asked) = serve(&["403 Forbidden|nope"]);
    let addresses = [
        format!("http://127.0.0.1:{free}/hush-hush?key=hush-hush"),
        format!("http://127.0.0.1:{busy}/hush-hush?key=hush-hush"),
        format!("http://127.0.0.1:{deaf}/hush-hush?key=hush-hush"),
        "ftp://127.0.0.1/hush-hush".to_owned(),
        "hush-hush".to_owned(),
        String::new(),
    ];
    for address in addresses {
        let error = post(Form::Json, &address).0.unwrap_err();
        let said =
            format!("{error} {error:?} {}", error.describe(&vacancy::i18n::Tr::new(vacancy::i18n::Lang::English)));
        assert!(!said.contains("hush"), "{said}");
    }
}

#[test]
fn the_engine_s_notices_reach_it_after_the_settings_name_it() {
    let (port, asked) = serve(&["200 OK"]);
    let folder = tempfile::tempdir().unwrap();
    let (everywhere, _answers) =
        start(vacancy::notify::everywhere::Means { clock: Arc::new(SystemClock), ..means(folder.path(), &[]) });
    everywhere.show(message(1));
    everywhere.configure(&settings(&format!("[notices]\nwebhook = {{ url = \"http://127.0.0.1:{port}/in\" }}")));
    everywhere.show(message(2));
    let (first, body) = asked.recv_timeout(LIMIT).unwrap();
    assert_eq!((first.as_str(), &body["id"]), ("POST /in", &Value::from(2)));
    everywhere.configure(&settings(""));
    everywhere.show(message(3));
    everywhere.configure(&settings(&format!("[notices]\nwebhook = {{ url = \"http://127.0.0.1:{port}/in\" }}")));
    everywhere.show(message(4));
    assert_eq!(asked.recv_timeout(LIMIT).unwrap().1["id"], 4);
}
