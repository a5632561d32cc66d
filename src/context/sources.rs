//! Which sources speak of which target, as data. Pure.

use url::Url;

use super::remark::begins;
use crate::core::target::{ModelId, TargetId};
use crate::listen::pages::Source;

/// What of a page concerns a provider's targets.
#[derive(Debug, PartialEq, Eq)]
pub struct Concern {
    /// Presets, and tools whose subscriptions are targets.
    pub providers: &'static [&'static str],
    /// The page, as [`Source::provider`] names it.
    pub page: &'static str,
    /// Beginnings of the names of the parts that matter, any case; empty is all. One that is on no page any more is told,
    /// never taken for good.
    pub parts: &'static [&'static str],
}

const fn concern(providers: &'static [&'static str], page: &'static str, parts: &'static [&'static str]) -> Concern {
    Concern { providers, page, parts }
}

/// The rows. A key and a subscription of one provider look at different parts of the same page.
pub const CONCERNS: &[Concern] = &[
    concern(&["anthropic"], "anthropic", &["Claude API"]),
    concern(&["claude-code"], "anthropic", &["Claude Code", "Claude API"]),
    concern(&["openai"], "openai", &["Chat Completions"]),
    concern(&["openai-responses"], "openai", &["Responses"]),
    concern(&["codex"], "openai", &["Codex", "CLI", "VS Code extension"]),
    concern(&["copilot"], "github-copilot", &["Copilot"]),
    concern(&["cursor"], "cursor", &[]),
    concern(&["groq"], "groq", &[]),
    concern(&["cohere"], "cohere", &[]),
    concern(&["perplexity"], "perplexity", &[]),
    concern(&["together"], "together", &[]),
    concern(&["fireworks"], "fireworks", &[]),
    concern(&["xai"], "xai", &["API"]),
    concern(&["azure-openai", "azure-openai-v1"], "azure", &[]),
    concern(&["gemini", "gemini-free", "gemini-cli"], "gemini", &[]),
    concern(&["openrouter", "openrouter-free"], "openrouter", &[]),
    concern(&["mistral"], "mistral", &[]),
    concern(&["deepseek", "deepseek-anthropic"], "deepseek", &[]),
];

impl Concern {
    /// What concerns the targets of a preset or tool.
    pub fn of(provider: &str) -> Option<&'static Self> {
        CONCERNS.iter().find(|concern| concern.providers.contains(&provider))
    }

    /// The page.
    pub fn source(&self) -> Option<&'static Source> {
        Source::of(self.page)
    }

    /// Whether a part of the page matters.
    pub fn covers(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|start| begins(part, start))
    }
}

/// A target as the sources know it.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Whose context it is.
    pub target: TargetId,
    /// The preset of its provider, or the tool whose subscription it is; `None` has no sources.
    pub provider: Option<&'static str>,
    /// Its model.
    pub model: ModelId,
    /// Where its provider is; only OpenRouter's own address, or one on this machine, is asked for statistics.
    pub base_url: Option<Url>,
}

/// OpenRouter's own host.
const OPENROUTER: &str = "openrouter.ai";

impl Subject {
    /// The address of OpenRouter's statistics of the model; `None` for models that it has none of.
    pub fn statistics(&self) -> Option<Url> {
        if !self.provider?.starts_with("openrouter") {
            return None;
        }
        let base = self.base_url.as_ref()?;
        let is_here = matches!(base.host()?, url::Host::Ipv4(address) if address.is_loopback())
            || matches!(base.host()?, url::Host::Ipv6(address) if address.is_loopback());
        let is_own = base.scheme() == "https" && base.host_str() == Some(OPENROUTER);
        if !is_here && !is_own {
            return None;
        }
        // `openrouter/auto` is a choice among models.
        let (author, slug) = self.model.as_str().split_once('/')?;
        let is_plain = |part: &str| !part.is_empty() && !part.contains(['/', '\\']) && !matches!(part, "." | "..");
        if author == "openrouter" || !is_plain(author) || !is_plain(slug) {
            return None;
        }
        let mut url = base.clone();
        url.set_query(None);
        url.set_fragment(None);
        // A login in the address is a key, and none is sent.
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        url.path_segments_mut().ok()?.pop_if_empty().extend(["models", author, slug, "endpoints"]);
        Some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listen::pages::{SOURCES, Style};
    use crate::wire::presets::Preset;

    const TOOLS: [&str; 5] = ["claude-code", "codex", "copilot", "cursor", "gemini-cli"];

    #[test]
    fn every_row_names_a_known_provider_once_and_a_page_that_is_there() {
        let mut seen = std::collections::HashSet::new();
        for concern in CONCERNS {
            let source = concern.source().unwrap_or_else(|| panic!("no page {}", concern.page));
            for provider in concern.providers {
                assert!(Preset::find(provider).is_some() || TOOLS.contains(provider), "{provider}");
                assert!(seen.insert(provider), "{provider} is there twice");
            }
            for part in concern.parts {
                assert!(source.covers(part), "{}: {part} is no part that the page's row knows", concern.page);
            }
        }
    }

    #[test]
    fn pages_are_https_and_links_are_never_fetched() {
        for source in SOURCES {
            assert!(source.page.starts_with("https://"), "{}", source.page);
            assert_eq!(source.url.is_empty(), source.style == Style::Link, "{}", source.page);
            assert!(source.url.is_empty() || source.url.starts_with("https://"), "{}", source.url);
        }
    }

    #[test]
    fn statistics_are_asked_of_openrouter_alone_and_without_a_login() {
        let ask = |provider, base: &str, model: &str| {
            let base_url = Some(Url::parse(base).unwrap());
            Subject { target: "t".into(), provider, model: model.into(), base_url }.statistics().map(String::from)
        };
        let own = Some("openrouter");
        let base = "https://openrouter.ai/api/v1";
        for (provider, base, model, expected) in [
            (
                own,
                base,
                "qwen/qwen3-coder:free",
                Some("https://openrouter.ai/api/v1/models/qwen/qwen3-coder:free/endpoints"),
            ),
            (
                own,
                "https://u:p@openrouter.ai/api/v1/?key=k#f",
                "a/b",
                Some("https://openrouter.ai/api/v1/models/a/b/endpoints"),
            ),
            (
                own,
                "http://127.0.0.1:9/api/v1",
                "a/b c?d",
                Some("http://127.0.0.1:9/api/v1/models/a/b%20c%3Fd/endpoints"),
            ),
            (own, "http://openrouter.ai/api/v1", "a/b", None),
            (own, "https://openrouter.ai.example.com/v1", "a/b", None),
            (own, "https://relay.example.com/v1", "a/b", None),
            (own, base, "auto", None),
            (own, base, "openrouter/auto", None),
            (own, base, "a/b/c", None),
            (own, base, "a/..", None),
            (Some("openai"), base, "a/b", None),
            (None, base, "a/b", None),
        ] {
            assert_eq!(ask(provider, base, model).as_deref(), expected, "{provider:?} {base} {model}");
        }
    }
}
