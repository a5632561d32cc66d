//! Which dialect a request speaks: read from the end of its path, so that any base path of a provider works.

use serde_json::Value;

use crate::core::target::Dialect;
use crate::loopback::scenario::Scenario;

/// A request that the loopback provider understands.
#[derive(Clone, Debug, PartialEq)]
pub enum Route {
    /// A generation.
    Generate(Ask),
    /// The list of models, in the shape of a dialect.
    Models(Dialect),
    /// From now on a model answers in this way: `PUT /loopback/MODEL/SCENARIO`.
    Set(String, Scenario),
    /// Not a path of any dialect.
    Unknown,
}

/// A generation as it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The wire API.
    pub dialect: Dialect,
    /// From the body, or from the path where the dialect has it there.
    pub model: String,
    /// In what form the answer is wanted.
    pub form: Form,
    /// The request's body; null when it was not JSON.
    pub body: Value,
    /// Which generation of this server it is: clients tell answers apart by their ids.
    pub serial: u64,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON document.
    Json,
    /// Server-sent events.
    Sse,
    /// One JSON document a line.
    Ndjson,
    /// A JSON array whose elements come one by one: Gemini without `alt=sse`.
    Array,
}

/// Reads a request. `query` is without the question mark.
pub fn route(method: &str, path: &str, query: &str, body: &[u8]) -> Route {
    let path = path.trim_end_matches('/');
    if method == "GET" {
        return if path.ends_with("/api/tags") {
            Route::Models(Dialect::OllamaChat)
        } else if path.ends_with("/v1beta/models") {
            Route::Models(Dialect::Gemini)
        } else if path.ends_with("/models") {
            Route::Models(Dialect::OpenaiChat)
        } else {
            Route::Unknown
        };
    }
    if method == "PUT" {
        let set = path.strip_prefix("/loopback/").and_then(|rest| rest.rsplit_once('/'));
        return set
            .and_then(|(model, name)| Some(Route::Set(model.to_owned(), Scenario::from_name(name)?)))
            .unwrap_or(Route::Unknown);
    }
    if method != "POST" {
        return Route::Unknown;
    }
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let asks_stream = body.get("stream").and_then(Value::as_bool);
    let sse_if = |wanted: bool| if wanted { Form::Sse } else { Form::Json };
    let (dialect, form) = if path.ends_with("/chat/completions") {
        (Dialect::OpenaiChat, sse_if(asks_stream == Some(true)))
    } else if path.ends_with("/responses") {
        (Dialect::OpenaiResponses, sse_if(asks_stream == Some(true)))
    } else if path.ends_with("/messages") {
        (Dialect::AnthropicMessages, sse_if(asks_stream == Some(true)))
    } else if path.ends_with("/api/chat") {
        // Ollama streams unless told not to.
        (Dialect::OllamaChat, if asks_stream == Some(false) { Form::Json } else { Form::Ndjson })
    } else if path.ends_with(":streamGenerateContent") {
        let wants_sse = query.split('&').any(|pair| pair == "alt=sse");
        (Dialect::Gemini, if wants_sse { Form::Sse } else { Form::Array })
    } else if path.ends_with(":generateContent") {
        (Dialect::Gemini, Form::Json)
    } else {
        return Route::Unknown;
    };
    let model =
        body.get("model").and_then(Value::as_str).map(str::to_owned).or_else(|| path_model(path)).unwrap_or_default();
    Route::Generate(Ask { dialect, model, form, body, serial: 0 })
}

/// The model in a path: `…/models/MODEL:verb` (Gemini, Vertex) or `…/deployments/MODEL/…` (Azure).
fn path_model(path: &str) -> Option<String> {
    let raw = if let Some((_, rest)) = path.rsplit_once("/models/") {
        rest.rsplit_once(':').map_or(rest, |(model, _)| model)
    } else {
        path.rsplit_once("/deployments/")?.1.split('/').next()?
    };
    Some(percent_decode(raw))
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = (first == b'%')
            .then(|| tail.get(..2))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok()));
        match escaped {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_answer_is_changed_by_a_path_of_its_own() {
        let set = |path| route("PUT", path, "", b"");
        assert_eq!(set("/loopback/a/b/rate-429"), Route::Set("a/b".into(), Scenario::Rate429));
        assert_eq!(set("/loopback/a/no-such"), Route::Unknown);
        assert_eq!(set("/v1/a/ok"), Route::Unknown);
    }

    #[test]
    fn any_base_path_leads_to_its_dialect() {
        let cases = [
            ("/v1/chat/completions", "", r#"{"model":"m","stream":true}"#, Dialect::OpenaiChat, "m", Form::Sse),
            ("/api/paas/v4/chat/completions", "", r#"{"model":"m"}"#, Dialect::OpenaiChat, "m", Form::Json),
            (
                "/openai/deployments/my%20dep/chat/completions",
                "api-version=2024-10-21",
                r#"{"stream":true}"#,
                Dialect::OpenaiChat,
                "my dep",
                Form::Sse,
            ),
            ("/v1/responses", "", r#"{"model":"m","stream":true}"#, Dialect::OpenaiResponses, "m", Form::Sse),
            ("/anthropic/v1/messages", "", r#"{"model":"m"}"#, Dialect::AnthropicMessages, "m", Form::Json),
            ("/v1beta/models/g-1:streamGenerateContent", "alt=sse", "{}", Dialect::Gemini, "g-1", Form::Sse),
            ("/v1beta/models/g-1:streamGenerateContent", "", "{}", Dialect::Gemini, "g-1", Form::Array),
            ("/v1beta/models/g%40ok:generateContent", "", "{}", Dialect::Gemini, "g@ok", Form::Json),
            ("/api/chat", "", r#"{"model":"q:8b"}"#, Dialect::OllamaChat, "q:8b", Form::Ndjson),
            ("/api/chat", "", r#"{"model":"q:8b","stream":false}"#, Dialect::OllamaChat, "q:8b", Form::Json),
        ];
        for (path, query, body, dialect, model, form) in cases {
            let Route::Generate(ask) = route("POST", path, query, body.as_bytes()) else { panic!("{path}") };
            assert_eq!((ask.dialect, ask.model.as_str(), ask.form), (dialect, model, form), "{path}");
        }
    }

    #[test]
    fn lists_and_strangers() {
        assert_eq!(route("GET", "/v1/models", "", b""), Route::Models(Dialect::OpenaiChat));
        assert_eq!(route("GET", "/v1beta/models", "", b""), Route::Models(Dialect::Gemini));
        assert_eq!(route("GET", "/api/tags", "", b""), Route::Models(Dialect::OllamaChat));
        assert_eq!(route("GET", "/v1/chat/completions", "", b""), Route::Unknown);
        assert_eq!(route("POST", "/v1/embeddings", "", b"{}"), Route::Unknown);
        assert_eq!(percent_decode("100%"), "100%");
        assert_eq!(percent_decode("%zz%e4%bd%a0"), "%zz你");
    }
}
