//! Every preset's request, as its provider's documentation wants it, and a good answer to it understood.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use url::Url;
use vacancy::core::classify::{RuleSet, classify};
use vacancy::core::exchange::End;
use vacancy::core::outcome::Kind;
use vacancy::core::target::{ModelId, ProviderId};
use vacancy::loopback::{Loopback, Options};
use vacancy::probe::{Job, Prober as _, Route};
use vacancy::secrets::KeyRef;
use vacancy::wire::curl::curl;
use vacancy::wire::presets::Preset;
use vacancy::wire::request::{Request, USER_AGENT};
use vacancy::wire::tuning::Tuning;

use crate::probe::{KEY, key_ref, prober};

/// How the key arrives.
enum Sent {
    Bearer,
    In(&'static str),
    Nowhere,
}
use Sent::{Bearer, In, Nowhere};

/// Preset, model, path, query, key, and the fields of the body that matter.
type Row = (&'static str, &'static str, &'static str, &'static str, Sent, Value);

/// Written from the providers' references, not from the builder.
#[rustfmt::skip]
fn rows() -> Vec<Row> {
    let plain = || json!({ "max_tokens": 16, "stream": true });
    let thinks = || json!({ "max_tokens": 256, "stream": true });
    vec![
        ("openai", "gpt-5", "/v1/chat/completions", "", Bearer, json!({ "max_completion_tokens": 256, "reasoning_effort": "low", "stream": true })),
        ("openai-responses", "gpt-5-codex", "/v1/responses", "", Bearer, json!({ "input": "hi", "max_output_tokens": 256, "reasoning": { "effort": "low" }, "store": false, "stream": true })),
        ("azure-openai", "gpt-4.1", "/openai/deployments/YOUR-DEPLOYMENT/chat/completions", "api-version=2024-10-21", In("api-key"), plain()),
        ("azure-openai-v1", "gpt-5", "/openai/v1/responses", "", In("api-key"), json!({ "input": "hi", "max_output_tokens": 256, "store": false, "stream": true })),
        ("anthropic", "claude-sonnet-4-5", "/v1/messages", "", In("x-api-key"), json!({ "max_tokens": 1, "stream": true })),
        ("gemini", "gemini-2.5-pro", "/v1beta/models/gemini-2.5-pro:streamGenerateContent", "alt=sse", In("x-goog-api-key"), json!({ "generationConfig": { "maxOutputTokens": 256 } })),
        ("gemini-free", "gemini-2.5-flash", "/v1beta/models/gemini-2.5-flash:streamGenerateContent", "alt=sse", In("x-goog-api-key"), json!({ "generationConfig": { "maxOutputTokens": 256 } })),
        ("openrouter", "anthropic/claude-sonnet-4.5", "/api/v1/chat/completions", "", Bearer, plain()),
        ("openrouter-free", "deepseek/deepseek-r1:free", "/api/v1/chat/completions", "", Bearer, thinks()),
        ("mistral", "mistral-large-latest", "/v1/chat/completions", "", Bearer, plain()),
        ("groq", "llama-3.3-70b-versatile", "/openai/v1/chat/completions", "", Bearer, plain()),
        ("cerebras", "gpt-oss-120b", "/v1/chat/completions", "", Bearer, thinks()),
        ("together", "meta-llama/Llama-3.3-70B-Instruct-Turbo", "/v1/chat/completions", "", Bearer, plain()),
        ("fireworks", "accounts/fireworks/models/deepseek-v3", "/inference/v1/chat/completions", "", Bearer, plain()),
        ("xai", "grok-4", "/v1/chat/completions", "", Bearer, thinks()),
        ("deepinfra", "meta-llama/Llama-3.3-70B-Instruct", "/v1/openai/chat/completions", "", Bearer, plain()),
        ("perplexity", "sonar", "/chat/completions", "", Bearer, plain()),
        ("cohere", "command-a-03-2025", "/compatibility/v1/chat/completions", "", Bearer, plain()),
        ("nvidia-nim", "meta/llama-3.3-70b-instruct", "/v1/chat/completions", "", Bearer, plain()),
        ("github-models", "openai/gpt-4.1-mini", "/inference/chat/completions", "", Bearer, plain()),
        ("huggingface", "openai/gpt-oss-120b", "/v1/chat/completions", "", Bearer, thinks()),
        ("ollama-cloud", "gpt-oss:120b", "/api/chat", "", Bearer, json!({ "options": { "num_predict": 1 }, "stream": true })),
        ("deepseek", "deepseek-chat", "/v1/chat/completions", "", Bearer, plain()),
        ("deepseek-anthropic", "deepseek-chat", "/anthropic/v1/messages", "", In("x-api-key"), plain()),
        ("moonshot-cn", "kimi-k2-0905-preview", "/v1/chat/completions", "", Bearer, plain()),
        ("moonshot", "kimi-k2-thinking", "/v1/chat/completions", "", Bearer, thinks()),
        ("zhipu", "glm-4.6", "/api/paas/v4/chat/completions", "", Bearer, thinks()),
        ("zhipu-coding", "glm-4.6", "/api/coding/paas/v4/chat/completions", "", Bearer, thinks()),
        ("zai", "glm-4.6", "/api/paas/v4/chat/completions", "", Bearer, thinks()),
        ("zai-coding", "glm-4.6", "/api/coding/paas/v4/chat/completions", "", Bearer, thinks()),
        ("dashscope-cn", "qwen-plus", "/compatible-mode/v1/chat/completions", "", Bearer, plain()),
        ("dashscope", "qwen3-max", "/compatible-mode/v1/chat/completions", "", Bearer, plain()),
        ("siliconflow-cn", "Qwen/Qwen2.5-72B-Instruct", "/v1/chat/completions", "", Bearer, plain()),
        ("siliconflow", "deepseek-ai/DeepSeek-V3", "/v1/chat/completions", "", Bearer, plain()),
        ("volcengine", "doubao-seed-1-6-250615", "/api/v3/chat/completions", "", Bearer, thinks()),
        ("minimax-cn", "MiniMax-M2", "/v1/chat/completions", "", Bearer, thinks()),
        ("minimax", "MiniMax-M2", "/v1/chat/completions", "", Bearer, thinks()),
        ("qianfan", "ernie-4.5-turbo-128k", "/v2/chat/completions", "", Bearer, plain()),
        ("hunyuan", "hunyuan-turbos-latest", "/v1/chat/completions", "", Bearer, plain()),
        ("stepfun", "step-2-16k", "/v1/chat/completions", "", Bearer, plain()),
        ("modelscope", "deepseek-ai/DeepSeek-V3.1", "/v1/chat/completions", "", Bearer, plain()),
        ("ollama", "llama3.2", "/api/chat", "", Nowhere, json!({ "options": { "num_predict": 1 }, "stream": true })),
        ("lm-studio", "my-model", "/v1/chat/completions", "", Nowhere, json!({ "max_tokens": 64, "stream": true })),
        ("vllm", "my-model", "/v1/chat/completions", "", Bearer, json!({ "max_tokens": 64, "stream": true })),
        ("llama-cpp", "my-model", "/v1/chat/completions", "", Bearer, json!({ "max_tokens": 64, "stream": true })),
        ("litellm", "claude-sonnet-4-5", "/v1/chat/completions", "", Bearer, plain()),
        ("one-api", "gpt-4o", "/v1/chat/completions", "", Bearer, plain()),
    ]
}

#[tokio::test]
async fn each_preset_is_driven_through_the_loopback_provider() {
    let loopback = Loopback::start(Options::default()).await.unwrap();
    let prober = prober();
    let mut driven = BTreeSet::new();
    for (index, (id, model, path, query, sent, body)) in rows().into_iter().enumerate() {
        let preset = Preset::find(id).unwrap_or_else(|| panic!("no preset {id}"));
        driven.insert(id);
        let mut base = Url::parse(&loopback.addresses().plain).unwrap();
        base.set_path(Url::parse(preset.base_url).unwrap().path());
        let job = Job {
            provider: ProviderId::from(id),
            endpoint: Arc::new(preset.endpoint(Some(base)).unwrap()),
            model: ModelId::from(model),
            key: key_ref(),
            route: Route::default(),
            is_local: preset.is_local,
            deadlines: None,
        };
        let exchange = prober.probe(&job).await.unwrap().exchange;

        let requests = loopback.requests();
        assert_eq!(requests.len(), index + 1, "{id}: one request");
        let request = &requests[index];
        assert_eq!(
            (request.method.as_str(), request.path.as_str(), request.query.as_str()),
            ("POST", path, query),
            "{id}"
        );
        assert_eq!(request.header("user-agent"), Some(USER_AGENT), "{id}");
        assert_eq!(request.header("content-type"), Some("application/json"), "{id}");
        let in_header = |name| request.header(name);
        match sent {
            Bearer => assert_eq!(in_header("authorization"), Some(format!("Bearer {KEY}").as_str()), "{id}"),
            In(name) => assert_eq!((in_header(name), in_header("authorization")), (Some(KEY), None), "{id}"),
            Nowhere => assert_eq!(in_header("authorization"), None, "{id}"),
        }
        assert_eq!(in_header("anthropic-version").is_some(), path.ends_with("/messages"), "{id}");
        for (name, value) in preset.headers.iter().filter(|(_, value)| *value != "{key}") {
            assert_eq!(in_header(name), Some(*value), "{id}");
        }
        let got = request.json();
        for (field, value) in body.as_object().unwrap() {
            assert_eq!(got.get(field), Some(value), "{id}: {field}");
        }
        assert!(query == "alt=sse" || got["model"] == model, "{id}");
        for never in ["temperature", "top_p", "stop", "seed", "n", "tools", "system", "stream_options"] {
            assert_eq!(got.get(never), None, "{id}");
        }

        assert_eq!((&exchange.end, exchange.status), (&End::Complete, Some(200)), "{id}");
        let outcome = classify(preset.dialect, &exchange, &RuleSet::builtin());
        assert_eq!(outcome.kind, Kind::Available, "{id}: {outcome:?}");
        assert!(exchange.timing.first_token_ms.is_some(), "{id}: the first token is seen");
    }
    let all: BTreeSet<_> = Preset::all().map(|preset| preset.id).collect();
    assert_eq!(driven, all, "a preset without a row does not count");
}

/// The command that a person copies makes the very request that we make.
#[cfg(unix)]
#[tokio::test]
async fn a_copied_command_is_the_same_request() {
    let has_curl = std::process::Command::new("curl").arg("--version").output().is_ok();
    if !has_curl {
        eprintln!("curl is not installed: nothing to compare");
        return;
    }
    let loopback = Loopback::start(Options::default()).await.unwrap();
    for id in ["openai", "azure-openai", "anthropic", "gemini", "ollama"] {
        let preset = Preset::find(id).unwrap();
        let mut base = Url::parse(&loopback.addresses().plain).unwrap();
        base.set_path(Url::parse(preset.base_url).unwrap().path());
        let endpoint = Arc::new(preset.endpoint(Some(base)).unwrap());
        let model = ModelId::from("it's a $model");
        let request = Request::build(&endpoint, &model, &Tuning::guess(preset.dialect, &model), true);
        let command = curl(&request, "TEST_KEY");
        assert!(!command.contains(KEY));
        let before = loopback.requests().len();
        let status = tokio::task::spawn_blocking(move || {
            std::process::Command::new("sh")
                .args(["-c", &command])
                .env("TEST_KEY", KEY)
                .env("NO_PROXY", "*")
                .stdout(std::process::Stdio::null())
                .status()
        });
        assert!(status.await.unwrap().unwrap().success(), "{id}");
        let job = Job {
            provider: ProviderId::from(id),
            endpoint,
            model,
            key: if preset.key_vars.is_empty() { KeyRef::None } else { key_ref() },
            route: Route::default(),
            is_local: preset.is_local,
            deadlines: None,
        };
        prober().probe(&job).await.unwrap();
        let requests = loopback.requests();
        let (copied, own) = (&requests[before], &requests[before + 1]);
        assert_eq!((&copied.path, &copied.query, &copied.body), (&own.path, &own.query, &own.body), "{id}");
        for name in [
            "authorization",
            "api-key",
            "x-api-key",
            "x-goog-api-key",
            "anthropic-version",
            "user-agent",
            "content-type",
        ] {
            assert_eq!(copied.header(name), own.header(name), "{id}: {name}");
        }
    }
}
