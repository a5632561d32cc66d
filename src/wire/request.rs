//! The request of one probe.

use serde_json::{Map, Value, json};
use url::Url;

use crate::core::target::{Dialect, ModelId};
use crate::wire::endpoint::{Auth, Endpoint, KEY_MARK};
use crate::wire::tuning::{CapField, Tuning};

/// How we name ourselves. Requests without such a header are refused by some edges.
pub const USER_AGENT: &str = concat!("Vacancy/", env!("CARGO_PKG_VERSION"));

/// The version of the Messages API that is spoken.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// The whole prompt: one neutral word.
const PROMPT: &str = "hi";

/// A POST request that holds [`KEY_MARK`] where the key belongs.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// Where to, without [`Request::query`].
    pub url: Url,
    /// Query parameters to append, not yet encoded.
    pub query: Vec<(String, String)>,
    /// Headers in their order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The JSON body.
    pub body: String,
}

/// Shows no header or query value: users may have put a key there.
impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = |pairs: &[(String, String)]| pairs.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        f.debug_struct("Request")
            .field("host", &self.url.host_str())
            .field("path", &self.url.path())
            .field("query", &names(&self.query))
            .field("headers", &names(&self.headers))
            .field("body", &self.body)
            .finish()
    }
}

impl Request {
    /// The smallest honest request to a model. `has_key` leaves out whatever would hold a key that does not exist.
    pub fn build(endpoint: &Endpoint, model: &ModelId, tuning: &Tuning, has_key: bool) -> Self {
        let mut query = endpoint.query.clone();
        if endpoint.dialect == Dialect::Gemini && tuning.stream {
            query.push(("alt".to_owned(), "sse".to_owned()));
        }
        let mut headers = own_headers(endpoint, tuning);
        for (name, value) in &endpoint.headers {
            let name = name.to_ascii_lowercase();
            headers.retain(|(own, _)| *own != name);
            headers.push((name, value.clone()));
        }
        if !has_key {
            headers.retain(|(_, value)| !value.contains(KEY_MARK));
            query.retain(|(_, value)| !value.contains(KEY_MARK));
        }
        let body = body(endpoint.dialect, model, tuning).to_string();
        Self { url: url(endpoint, model, tuning), query, headers, body }
    }

    /// The full address with the key in its place.
    pub fn full_url(&self, key: &str) -> Url {
        let mut url = self.url.clone();
        if !self.query.is_empty() {
            let mut pairs = url.query_pairs_mut();
            for (name, value) in &self.query {
                pairs.append_pair(name, &value.replace(KEY_MARK, key));
            }
        }
        url
    }
}

fn own_headers(endpoint: &Endpoint, tuning: &Tuning) -> Vec<(String, String)> {
    let accept = match (endpoint.dialect, tuning.stream) {
        (Dialect::OllamaChat, true) => "application/x-ndjson",
        (_, true) => "text/event-stream",
        (_, false) => "application/json",
    };
    let mut headers = vec![("content-type", "application/json"), ("accept", accept), ("user-agent", USER_AGENT)];
    if endpoint.dialect == Dialect::AnthropicMessages {
        headers.push(("anthropic-version", ANTHROPIC_VERSION));
    }
    let mut headers: Vec<_> = headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    if !endpoint.places_key() {
        match endpoint.auth {
            Auth::None => {}
            Auth::Bearer => headers.push(("authorization".to_owned(), format!("Bearer {KEY_MARK}"))),
            Auth::Header(name) => headers.push((name.to_owned(), KEY_MARK.to_owned())),
        }
    }
    headers
}

/// The base URL with the dialect's path. A base that already ends in a part of that path is not given it twice: people
/// copy base URLs with and without the version.
fn url(endpoint: &Endpoint, model: &ModelId, tuning: &Tuning) -> Url {
    let gemini_call = if tuning.stream { "streamGenerateContent" } else { "generateContent" };
    let path: Vec<String> = match endpoint.dialect {
        Dialect::OpenaiChat | Dialect::Generic => vec!["chat".to_owned(), "completions".to_owned()],
        Dialect::OpenaiResponses => vec!["responses".to_owned()],
        Dialect::AnthropicMessages => vec!["v1".to_owned(), "messages".to_owned()],
        Dialect::OllamaChat => vec!["api".to_owned(), "chat".to_owned()],
        Dialect::Gemini => {
            let name = model.as_str();
            let (folder, name) = name.split_once('/').unwrap_or(("models", name));
            vec!["v1beta".to_owned(), folder.to_owned(), format!("{name}:{gemini_call}")]
        }
    };
    let mut url = endpoint.base_url.clone();
    let base: Vec<String> = url
        .path_segments()
        .map(|segments| segments.filter(|segment| !segment.is_empty()).map(str::to_owned).collect())
        .unwrap_or_default();
    let is_version = |segment: &str| matches!(segment, "v1" | "v1beta" | "v1alpha");
    let overlap = (1..=path.len())
        .rev()
        .find(|&n| base.ends_with(&path[..n]))
        .or_else(|| {
            // `v1` for `v1beta`: the user's choice of version stands.
            let ends_in_version = base.last().is_some_and(|last| is_version(last));
            (path.first().is_some_and(|first| is_version(first)) && ends_in_version).then_some(1)
        })
        .unwrap_or(0);
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty();
        for segment in &path[overlap..] {
            segments.push(segment);
        }
    }
    url
}

fn body(dialect: Dialect, model: &ModelId, tuning: &Tuning) -> Value {
    let mut body = Map::new();
    let messages = json!([{ "role": "user", "content": PROMPT }]);
    match dialect {
        Dialect::OpenaiChat | Dialect::Generic => {
            body.insert("model".to_owned(), model.as_str().into());
            body.insert("messages".to_owned(), messages);
            if let Some(cap) = tuning.cap_field.name() {
                body.insert(cap.to_owned(), tuning.cap.into());
            }
            if let Some(effort) = tuning.effort {
                body.insert("reasoning_effort".to_owned(), effort.into());
            }
            body.insert("stream".to_owned(), tuning.stream.into());
        }
        Dialect::OpenaiResponses => {
            body.insert("model".to_owned(), model.as_str().into());
            body.insert("input".to_owned(), PROMPT.into());
            if tuning.cap_field != CapField::Absent {
                body.insert("max_output_tokens".to_owned(), tuning.cap.into());
            }
            if let Some(effort) = tuning.effort {
                body.insert("reasoning".to_owned(), json!({ "effort": effort }));
            }
            if tuning.store {
                body.insert("store".to_owned(), false.into());
            }
            body.insert("stream".to_owned(), tuning.stream.into());
        }
        Dialect::AnthropicMessages => {
            body.insert("model".to_owned(), model.as_str().into());
            body.insert("max_tokens".to_owned(), tuning.cap.into());
            body.insert("messages".to_owned(), messages);
            body.insert("stream".to_owned(), tuning.stream.into());
        }
        Dialect::Gemini => {
            body.insert("contents".to_owned(), json!([{ "role": "user", "parts": [{ "text": PROMPT }] }]));
            body.insert("generationConfig".to_owned(), json!({ "maxOutputTokens": tuning.cap }));
        }
        Dialect::OllamaChat => {
            body.insert("model".to_owned(), model.as_str().into());
            body.insert("messages".to_owned(), messages);
            body.insert("stream".to_owned(), tuning.stream.into());
            body.insert("options".to_owned(), json!({ "num_predict": tuning.cap }));
        }
    }
    Value::Object(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(base: &str, dialect: Dialect, model: &str) -> Request {
        let model = ModelId::from(model);
        let endpoint = Endpoint::new(Url::parse(base).unwrap(), dialect);
        Request::build(&endpoint, &model, &Tuning::guess(dialect, &model), true)
    }

    fn header<'a>(request: &'a Request, name: &str) -> Vec<&'a str> {
        request.headers.iter().filter(|(own, _)| own == name).map(|(_, value)| value.as_str()).collect()
    }

    #[test]
    fn each_dialect_sends_its_smallest_body() {
        for (dialect, model, body) in [
            (
                Dialect::OpenaiChat,
                "gpt-4o",
                r#"{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}],"max_tokens":16,"stream":true}"#,
            ),
            (
                Dialect::OpenaiChat,
                "gpt-5",
                r#"{"model":"gpt-5","messages":[{"role":"user","content":"hi"}],"max_completion_tokens":256,"reasoning_effort":"low","stream":true}"#,
            ),
            (
                Dialect::OpenaiResponses,
                "gpt-4.1",
                r#"{"model":"gpt-4.1","input":"hi","max_output_tokens":16,"store":false,"stream":true}"#,
            ),
            (
                Dialect::OpenaiResponses,
                "o3",
                r#"{"model":"o3","input":"hi","max_output_tokens":256,"reasoning":{"effort":"low"},"store":false,"stream":true}"#,
            ),
            (
                Dialect::AnthropicMessages,
                "claude-haiku-4-5",
                r#"{"model":"claude-haiku-4-5","max_tokens":1,"messages":[{"role":"user","content":"hi"}],"stream":true}"#,
            ),
            (
                Dialect::Gemini,
                "gemini-2.0-flash",
                r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"maxOutputTokens":16}}"#,
            ),
            (
                Dialect::OllamaChat,
                "llama3.2",
                r#"{"model":"llama3.2","messages":[{"role":"user","content":"hi"}],"stream":true,"options":{"num_predict":1}}"#,
            ),
        ] {
            assert_eq!(request("https://example.com/v1", dialect, model).body, body);
        }
    }

    #[test]
    fn paths_are_appended_once() {
        for (base, dialect, model, url) in [
            ("https://a.example/v1", Dialect::OpenaiChat, "m", "https://a.example/v1/chat/completions"),
            ("https://a.example/v1/", Dialect::OpenaiChat, "m", "https://a.example/v1/chat/completions"),
            (
                "https://a.example/v1/chat/completions",
                Dialect::OpenaiChat,
                "m",
                "https://a.example/v1/chat/completions",
            ),
            ("https://a.example", Dialect::OpenaiResponses, "m", "https://a.example/responses"),
            ("https://a.example", Dialect::AnthropicMessages, "m", "https://a.example/v1/messages"),
            ("https://a.example/v1", Dialect::AnthropicMessages, "m", "https://a.example/v1/messages"),
            ("https://a.example/anthropic", Dialect::AnthropicMessages, "m", "https://a.example/anthropic/v1/messages"),
            ("https://g.example", Dialect::Gemini, "g-1", "https://g.example/v1beta/models/g-1:streamGenerateContent"),
            (
                "https://g.example/v1beta",
                Dialect::Gemini,
                "models/g-1",
                "https://g.example/v1beta/models/g-1:streamGenerateContent",
            ),
            ("https://g.example/v1", Dialect::Gemini, "g-1", "https://g.example/v1/models/g-1:streamGenerateContent"),
            (
                "https://g.example",
                Dialect::Gemini,
                "tunedModels/x y",
                "https://g.example/v1beta/tunedModels/x%20y:streamGenerateContent",
            ),
            ("http://localhost:11434", Dialect::OllamaChat, "m", "http://localhost:11434/api/chat"),
            ("https://ollama.example/api", Dialect::OllamaChat, "m", "https://ollama.example/api/chat"),
            (
                "https://a.example/d/x?api-version=1",
                Dialect::OpenaiChat,
                "m",
                "https://a.example/d/x/chat/completions?api-version=1",
            ),
        ] {
            assert_eq!(request(base, dialect, model).url.as_str(), url);
        }
    }

    #[test]
    fn the_key_goes_where_the_vendor_wants_it() {
        for (dialect, name, value) in [
            (Dialect::OpenaiChat, "authorization", "Bearer {key}"),
            (Dialect::OpenaiResponses, "authorization", "Bearer {key}"),
            (Dialect::AnthropicMessages, "x-api-key", "{key}"),
            (Dialect::Gemini, "x-goog-api-key", "{key}"),
            (Dialect::OllamaChat, "authorization", "Bearer {key}"),
        ] {
            assert_eq!(header(&request("https://a.example", dialect, "m"), name), [value]);
        }
    }

    #[test]
    fn a_placed_key_replaces_the_dialects_header() {
        let model = ModelId::from("gpt-4o");
        let mut endpoint =
            Endpoint::new(Url::parse("https://a.example/openai/deployments/d").unwrap(), Dialect::OpenaiChat);
        endpoint.headers = vec![("API-Key".into(), "{key}".into()), ("User-Agent".into(), "mine/1".into())];
        endpoint.query = vec![("api-version".into(), "2024-10-21".into())];
        let tuning = Tuning::guess(endpoint.dialect, &model);
        let built = Request::build(&endpoint, &model, &tuning, true);
        assert_eq!(header(&built, "api-key"), ["{key}"]);
        assert_eq!(header(&built, "authorization"), [""; 0]);
        assert_eq!(header(&built, "user-agent"), ["mine/1"]);
        assert_eq!(
            built.full_url("unused").as_str(),
            "https://a.example/openai/deployments/d/chat/completions?api-version=2024-10-21"
        );
        let keyless = Request::build(&endpoint, &model, &tuning, false);
        assert_eq!(header(&keyless, "api-key"), [""; 0]);

        endpoint.headers.clear();
        endpoint.query.push(("key".into(), "{key}".into()));
        let built = Request::build(&endpoint, &model, &tuning, true);
        assert_eq!(header(&built, "authorization"), [""; 0]);
        assert!(built.full_url("k&v").as_str().ends_with("&key=k%26v"));
    }

    #[test]
    fn debug_shows_no_header_value() {
        let mut endpoint = Endpoint::new(Url::parse("https://u:pw-in-url@a.example").unwrap(), Dialect::OpenaiChat);
        endpoint.headers = vec![("x-team".into(), "literal-header".into())];
        endpoint.query = vec![("token".into(), "literal-query".into())];
        let model = ModelId::from("m");
        let built = Request::build(&endpoint, &model, &Tuning::guess(endpoint.dialect, &model), true);
        let shown = format!("{built:?} {endpoint:?}");
        for secret in ["pw-in-url", "literal-header", "literal-query"] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}
