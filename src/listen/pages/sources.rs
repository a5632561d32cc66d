//! Which provider has which page, as data: pages move, and a row is what has to follow.

/// How a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Statuspage v2, or a copy of its `summary.json`.
    Summary,
    /// Google Cloud's list of incidents.
    GoogleIncidents,
    /// Better Stack's `index.json`.
    BetterStack,
    /// RSS or Atom.
    Feed,
    /// Not for programs: shown as a link, never fetched.
    Link,
}

/// One page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The provider, as the presets call it.
    pub provider: &'static str,
    /// The page for people.
    pub page: &'static str,
    /// The document for programs; empty for [`Style::Link`].
    pub url: &'static str,
    /// How it is written.
    pub style: Style,
    /// Beginnings of the names of components that matter, any case; empty is all. One that is on no page any more is
    /// told as a broken mapping, never as good.
    pub components: &'static [&'static str],
}

const fn summary(
    provider: &'static str,
    page: &'static str,
    url: &'static str,
    components: &'static [&'static str],
) -> Source {
    Source { provider, page, url, style: Style::Summary, components }
}

const fn link(provider: &'static str, page: &'static str) -> Source {
    Source { provider, page, url: "", style: Style::Link, components: &[] }
}

/// The pages, as found in 2026. None of them could be fetched when this was written.
pub const SOURCES: &[Source] = &[
    summary(
        "anthropic",
        "https://status.claude.com",
        "https://status.claude.com/api/v2/summary.json",
        &["Claude API", "claude.ai", "Claude Code"],
    ),
    summary(
        "openai",
        "https://status.openai.com",
        "https://status.openai.com/api/v2/summary.json",
        &["Responses", "Chat Completions", "Codex", "CLI", "VS Code extension"],
    ),
    summary(
        "github-copilot",
        "https://www.githubstatus.com",
        "https://www.githubstatus.com/api/v2/summary.json",
        &["Copilot"],
    ),
    summary("groq", "https://groqstatus.com", "https://groqstatus.com/api/v2/summary.json", &[]),
    summary("cohere", "https://status.cohere.com", "https://status.cohere.com/api/v2/summary.json", &[]),
    summary("perplexity", "https://status.perplexity.com", "https://status.perplexity.com/api/v2/summary.json", &[]),
    summary("cursor", "https://status.cursor.com", "https://status.cursor.com/api/v2/summary.json", &[]),
    summary("windsurf", "https://status.windsurf.com", "https://status.windsurf.com/api/v2/summary.json", &[]),
    Source {
        provider: "vertex",
        page: "https://status.cloud.google.com",
        url: "https://status.cloud.google.com/incidents.json",
        style: Style::GoogleIncidents,
        components: &["Vertex Gemini API"],
    },
    Source {
        provider: "together",
        page: "https://status.together.ai",
        url: "https://status.together.ai/index.json",
        style: Style::BetterStack,
        components: &[],
    },
    Source {
        provider: "fireworks",
        page: "https://status.fireworks.ai",
        url: "https://status.fireworks.ai/index.json",
        style: Style::BetterStack,
        components: &[],
    },
    Source {
        provider: "xai",
        page: "https://status.x.ai",
        url: "https://status.x.ai/feed.xml",
        style: Style::Feed,
        components: &["API"],
    },
    Source {
        provider: "azure",
        page: "https://azure.status.microsoft",
        url: "https://rssfeed.azure.status.microsoft/en-us/status/feed/",
        style: Style::Feed,
        components: &[],
    },
    link("gemini", "https://aistudio.google.com/status"),
    link("openrouter", "https://status.openrouter.ai"),
    link("mistral", "https://status.mistral.ai"),
    link("deepseek", "https://status.deepseek.com"),
];

impl Source {
    /// The page of a provider, if one is known.
    pub fn of(provider: &str) -> Option<&'static Self> {
        SOURCES.iter().find(|source| source.provider == provider)
    }

    /// Whether a component of the page matters.
    pub fn covers(&self, component: &str) -> bool {
        let begins = |start: &&str| component.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
        self.components.is_empty() || self.components.iter().any(begins)
    }
}
