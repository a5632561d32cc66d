//! The settings of tools in the demo's home folder: what a person who works with several of them has there.

/// The files, by their path below the home folder, for a loopback provider at `address` (scheme, host and port).
pub fn files(address: &str) -> Vec<(&'static str, String)> {
    let codex = format!(
        "# The model that new sessions start with\nmodel = \"gpt-5.6-sol\" # best at refactoring\n\
         model_provider = \"demo-plan\"\nmodel_reasoning_effort = \"high\"\n\n\
         [model_providers.demo-plan]\nname = \"Demo plan\"\nbase_url = \"{address}/v1\"\nwire_api = \"responses\"\n"
    );
    let claude = format!(
        "{{\n  \"model\": \"sonnet-5\",\n  \"env\": {{\n    \"ANTHROPIC_BASE_URL\": \"{address}\",\n    \
         \"ANTHROPIC_AUTH_TOKEN\": \"demo\"\n  }}\n}}\n"
    );
    let opencode = format!(
        "{{\n  // the cloud while the router has no credit\n  \"model\": \"demo-cloud/deepseek-v4\",\n  \"provider\": {{\n    \
         \"demo-cloud\": {{\n      \"npm\": \"@ai-sdk/openai-compatible\",\n      \
         \"options\": {{ \"baseURL\": \"{address}/v1\", \"apiKey\": \"demo\" }},\n      \
         \"models\": {{ \"deepseek-v4\": {{}}, \"qwen3-coder\": {{}} }}\n    }}\n  }}\n}}\n"
    );
    let gemini = format!("GEMINI_API_KEY=demo\nGOOGLE_GEMINI_BASE_URL={address}\n");
    let aider = format!(
        "model: openai/qwen3-coder   # slow, but thorough\nopenai-api-base: {address}/v1\nopenai-api-key: demo\n"
    );
    vec![
        (".codex/config.toml", codex),
        (".claude/settings.json", claude),
        (".config/opencode/opencode.jsonc", opencode),
        (".gemini/settings.json", "{ \"model\": { \"name\": \"gemini-4-flash\" } }\n".to_owned()),
        (".gemini/.env", gemini),
        (".aider.conf.yml", aider),
    ]
}
