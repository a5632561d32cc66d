//! Providers outside China.

use super::{CHAT, COUNTED, Preset};
use crate::core::target::Dialect;
use crate::wire::endpoint::Auth;

/// In the order in which they are offered.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        id: "openai",
        name: "OpenAI",
        base_url: "https://api.openai.com/v1",
        key_vars: &["OPENAI_API_KEY"],
        models: &["gpt-5", "gpt-5-mini", "gpt-4.1"],
        ..CHAT
    },
    Preset {
        id: "openai-responses",
        name: "OpenAI (Responses)",
        dialect: Dialect::OpenaiResponses,
        base_url: "https://api.openai.com/v1",
        key_vars: &["OPENAI_API_KEY"],
        models: &["gpt-5-codex", "gpt-5", "gpt-5-mini"],
        ..CHAT
    },
    Preset {
        id: "azure-openai",
        name: "Azure OpenAI",
        base_url: "https://YOUR-RESOURCE.openai.azure.com/openai/deployments/YOUR-DEPLOYMENT",
        key_vars: &["AZURE_OPENAI_API_KEY"],
        note: Some("probe-note-azure"),
        models: &["gpt-4.1"],
        headers: &[("api-key", "{key}")],
        query: &[("api-version", "2024-10-21")],
        ..CHAT
    },
    Preset {
        id: "azure-openai-v1",
        name: "Azure OpenAI (v1)",
        dialect: Dialect::OpenaiResponses,
        base_url: "https://YOUR-RESOURCE.openai.azure.com/openai/v1",
        key_vars: &["AZURE_OPENAI_API_KEY"],
        note: Some("probe-note-azure"),
        models: &["gpt-5"],
        headers: &[("api-key", "{key}")],
        ..CHAT
    },
    Preset {
        id: "anthropic",
        name: "Anthropic",
        dialect: Dialect::AnthropicMessages,
        base_url: "https://api.anthropic.com",
        auth: Auth::Header("x-api-key"),
        key_vars: &["ANTHROPIC_API_KEY"],
        note: Some("probe-note-anthropic"),
        models: &["claude-sonnet-4-5", "claude-opus-4-5", "claude-haiku-4-5"],
        ..CHAT
    },
    Preset {
        id: "gemini",
        name: "Google Gemini",
        dialect: Dialect::Gemini,
        base_url: "https://generativelanguage.googleapis.com",
        auth: Auth::Header("x-goog-api-key"),
        key_vars: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        note: Some("probe-note-gemini"),
        models: &["gemini-2.5-pro", "gemini-2.5-flash"],
        ..CHAT
    },
    Preset {
        id: "gemini-free",
        name: "Google Gemini (free tier)",
        dialect: Dialect::Gemini,
        base_url: "https://generativelanguage.googleapis.com",
        auth: Auth::Header("x-goog-api-key"),
        key_vars: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        note: Some("probe-note-free"),
        models: &["gemini-2.5-flash"],
        ..COUNTED
    },
    Preset {
        id: "openrouter",
        name: "OpenRouter",
        base_url: "https://openrouter.ai/api/v1",
        key_vars: &["OPENROUTER_API_KEY"],
        models: &["anthropic/claude-sonnet-4.5", "openai/gpt-5", "deepseek/deepseek-chat"],
        // OpenRouter asks programs to name themselves.
        headers: &[("x-title", "Vacancy")],
        ..CHAT
    },
    Preset {
        id: "openrouter-free",
        name: "OpenRouter (free models)",
        base_url: "https://openrouter.ai/api/v1",
        key_vars: &["OPENROUTER_API_KEY"],
        note: Some("probe-note-free"),
        models: &["deepseek/deepseek-r1:free"],
        headers: &[("x-title", "Vacancy")],
        ..COUNTED
    },
    Preset {
        id: "mistral",
        name: "Mistral AI",
        base_url: "https://api.mistral.ai/v1",
        key_vars: &["MISTRAL_API_KEY"],
        models: &["mistral-large-latest", "codestral-latest"],
        ..CHAT
    },
    Preset {
        id: "groq",
        name: "Groq",
        base_url: "https://api.groq.com/openai/v1",
        key_vars: &["GROQ_API_KEY"],
        models: &["llama-3.3-70b-versatile", "openai/gpt-oss-120b"],
        ..CHAT
    },
    Preset {
        id: "cerebras",
        name: "Cerebras",
        base_url: "https://api.cerebras.ai/v1",
        key_vars: &["CEREBRAS_API_KEY"],
        models: &["gpt-oss-120b", "llama-3.3-70b"],
        ..CHAT
    },
    Preset {
        id: "together",
        name: "Together AI",
        base_url: "https://api.together.xyz/v1",
        key_vars: &["TOGETHER_API_KEY"],
        models: &["meta-llama/Llama-3.3-70B-Instruct-Turbo", "deepseek-ai/DeepSeek-V3"],
        ..CHAT
    },
    Preset {
        id: "fireworks",
        name: "Fireworks AI",
        base_url: "https://api.fireworks.ai/inference/v1",
        key_vars: &["FIREWORKS_API_KEY"],
        models: &["accounts/fireworks/models/deepseek-v3"],
        ..CHAT
    },
    Preset {
        id: "xai",
        name: "xAI",
        base_url: "https://api.x.ai/v1",
        key_vars: &["XAI_API_KEY"],
        models: &["grok-4", "grok-code-fast-1"],
        ..CHAT
    },
    Preset {
        id: "deepinfra",
        name: "DeepInfra",
        base_url: "https://api.deepinfra.com/v1/openai",
        key_vars: &["DEEPINFRA_API_KEY", "DEEPINFRA_TOKEN", "DEEPINFRA_API_TOKEN"],
        models: &["meta-llama/Llama-3.3-70B-Instruct", "deepseek-ai/DeepSeek-V3"],
        ..CHAT
    },
    Preset {
        id: "perplexity",
        name: "Perplexity",
        base_url: "https://api.perplexity.ai",
        key_vars: &["PERPLEXITY_API_KEY", "PPLX_API_KEY"],
        note: Some("probe-note-perplexity"),
        models: &["sonar", "sonar-pro"],
        ..COUNTED
    },
    Preset {
        id: "cohere",
        name: "Cohere (compatibility API)",
        base_url: "https://api.cohere.ai/compatibility/v1",
        key_vars: &["COHERE_API_KEY", "CO_API_KEY"],
        models: &["command-a-03-2025"],
        ..CHAT
    },
    Preset {
        id: "nvidia-nim",
        name: "NVIDIA NIM",
        base_url: "https://integrate.api.nvidia.com/v1",
        key_vars: &["NVIDIA_API_KEY", "NVIDIA_NIM_API_KEY"],
        note: Some("probe-note-free"),
        models: &["meta/llama-3.3-70b-instruct"],
        ..COUNTED
    },
    Preset {
        id: "github-models",
        name: "GitHub Models",
        base_url: "https://models.github.ai/inference",
        key_vars: &["GITHUB_MODELS_TOKEN", "GITHUB_TOKEN"],
        note: Some("probe-note-free"),
        models: &["openai/gpt-4.1-mini"],
        ..COUNTED
    },
    Preset {
        id: "huggingface",
        name: "Hugging Face router",
        base_url: "https://router.huggingface.co/v1",
        key_vars: &["HF_TOKEN", "HUGGINGFACE_API_KEY"],
        models: &["meta-llama/Llama-3.3-70B-Instruct", "openai/gpt-oss-120b"],
        ..CHAT
    },
    Preset {
        id: "ollama-cloud",
        name: "Ollama Cloud",
        dialect: Dialect::OllamaChat,
        base_url: "https://ollama.com",
        key_vars: &["OLLAMA_API_KEY"],
        note: Some("probe-note-plan"),
        models: &["gpt-oss:120b", "qwen3-coder:480b"],
        ..COUNTED
    },
];
