//! Servers on this machine: asked for their models on their usual ports, on loopback alone.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

use super::Reason;
use super::look::{Candidate, of_preset};
use crate::core::target::Dialect;
use crate::secrets::KeyRef;
use crate::wire::presets::Preset;

/// A server on the same machine answers at once or not at all.
const PATIENCE: Duration = Duration::from_millis(400);

/// Models proposed of one server: a long list is no proposal.
const MOST: usize = 3;

/// Asks every local preset's port for its models. A server with none is nothing to watch.
pub(super) fn servers() -> Vec<Candidate> {
    Preset::all()
        .filter(|preset| preset.is_local && preset.key_vars.is_empty())
        .flat_map(|preset| {
            models(preset).into_iter().take(MOST).map(move |model| Candidate {
                provider: of_preset(preset, KeyRef::None),
                model,
                reason: Reason::LocalServer { name: preset.name },
            })
        })
        .collect()
}

fn models(preset: &Preset) -> Vec<String> {
    let Ok(url) = url::Url::parse(preset.base_url) else { return Vec::new() };
    let address = url.host_str().zip(url.port()).and_then(|(host, port)| format!("{host}:{port}").parse().ok());
    let Some(address) = address.filter(|address: &SocketAddr| address.ip().is_loopback()) else { return Vec::new() };
    let path = match preset.dialect {
        Dialect::OllamaChat => "/api/tags".to_owned(),
        _ => format!("{}/models", url.path().trim_end_matches('/')),
    };
    get(address, &path).map(|answer| names(&answer)).unwrap_or_default()
}

/// One plain request; version 1.0, so that the answer comes whole and the connection ends with it.
fn get(address: SocketAddr, path: &str) -> Option<Value> {
    const LARGEST: u64 = 1 << 20;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\nAccept: application/json\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.take(LARGEST).read_to_end(&mut answer).ok()?;
    let answer = String::from_utf8(answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let is_ok = head.split(' ').nth(1) == Some("200");
    is_ok.then(|| serde_json::from_str(body).ok()).flatten()
}

/// Names from `{"models": [{"name"}]}` (Ollama) or `{"data": [{"id"}]}` (the others).
fn names(answer: &Value) -> Vec<String> {
    let list = |key: &str, name: &str| -> Vec<String> {
        let entries = answer.get(key).and_then(Value::as_array).into_iter().flatten();
        entries.filter_map(|entry| entry.get(name)?.as_str().map(str::to_owned)).collect()
    };
    let found = list("models", "name");
    if found.is_empty() { list("data", "id") } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_a_server_once_and_leaves_what_is_no_answer() {
        for (answer, expected) in [
            ("HTTP/1.1 200 OK\r\n\r\n{\"data\": [{\"id\": \"qwen\"}]}", vec!["qwen".to_owned()]),
            ("HTTP/1.1 404 Not Found\r\n\r\n{\"data\": [{\"id\": \"qwen\"}]}", vec![]),
            ("SSH-2.0-x\r\n", vec![]),
        ] {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback is there");
            let address = listener.local_addr().expect("it is bound");
            let server = std::thread::Builder::new().name("server".to_owned()).spawn(move || {
                let (mut stream, _) = listener.accept().expect("one asks");
                let mut asked = [0; 512];
                let read = stream.read(&mut asked).expect("it asks");
                stream.write_all(answer.as_bytes()).expect("it listens");
                String::from_utf8_lossy(&asked[..read]).into_owned()
            });
            let found = get(address, "/v1/models").map(|answer| names(&answer)).unwrap_or_default();
            assert_eq!(found, expected);
            let asked = server.expect("it starts").join().expect("it ends");
            assert!(asked.starts_with("GET /v1/models HTTP/1.0\r\n"), "{asked}");
        }
        let closed = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        assert_eq!(get(closed.expect("loopback is there"), "/"), None);
    }

    #[test]
    fn reads_both_lists() {
        let ollama = serde_json::json!({"models": [{"name": "llama3.2:latest"}, {"x": 1}]});
        assert_eq!(names(&ollama), ["llama3.2:latest"]);
        let others = serde_json::json!({"object": "list", "data": [{"id": "qwen"}]});
        assert_eq!(names(&others), ["qwen"]);
        assert!(names(&serde_json::json!([])).is_empty());
    }
}
