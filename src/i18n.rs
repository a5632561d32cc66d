//! The message catalogue: every shown string, in English and Simplified Chinese.
//!
//! Messages are [Fluent](https://projectfluent.org) files under `assets/i18n/<language>/<area>.ftl`, built in. A message
//! missing in a language falls back to English; an id missing in English is a bug that a test finds
//! (`tests/it/i18n.rs`), and shows as the id itself.

use std::borrow::Cow;
use std::sync::Arc;

use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
pub use fluent_bundle::{FluentArgs, FluentValue};
use unic_langid::langid;

/// A language of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Lang {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh-Hans")]
    Chinese,
}

/// Lists each area's catalogue in both languages; an area is one file a language.
macro_rules! catalogues {
    ($($area:literal),* $(,)?) => {
        /// The areas of the catalogue with their English and Chinese text.
        pub const CATALOGUES: &[(&str, &str, &str)] = &[$((
            $area,
            include_str!(concat!("../assets/i18n/en/", $area, ".ftl")),
            include_str!(concat!("../assets/i18n/zh-Hans/", $area, ".ftl")),
        )),*];
    };
}

catalogues![
    "background",
    "cli",
    "context",
    "data",
    "demo",
    "discovery",
    "explain",
    "glance",
    "handout",
    "history",
    "kinds",
    "listen",
    "metrics",
    "notice",
    "notify",
    "probe",
    "rule",
    "settings",
    "settings-screen",
    "sheet",
    "simulate",
    "switch",
    "switching",
    "toolprobe",
    "ui",
    "widgets"
];

impl Lang {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// The BCP 47 tag.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-Hans",
        }
    }

    /// The language for a tag or a POSIX locale name such as `zh_CN.UTF-8`; English when we have no better.
    pub fn from_tag(tag: &str) -> Self {
        if tag.len() >= 2 && tag.as_bytes()[..2].eq_ignore_ascii_case(b"zh") { Self::Chinese } else { Self::English }
    }
}

/// A cheap handle to the messages of one language, passed down to whatever shows text.
#[derive(Clone)]
pub struct Tr {
    lang: Lang,
    is_pseudo: bool,
    own: Arc<FluentBundle<FluentResource>>,
    english: Arc<FluentBundle<FluentResource>>,
}

impl Tr {
    /// The messages of `lang`.
    pub fn new(lang: Lang) -> Self {
        let english = Arc::new(bundle(Lang::English));
        let own = match lang {
            Lang::English => Arc::clone(&english),
            Lang::Chinese => Arc::new(bundle(lang)),
        };
        Self { lang, is_pseudo: false, own, english }
    }

    /// English with every message in brackets: text without them in a picture did not come from the catalogue.
    #[doc(hidden)]
    pub fn pseudo() -> Self {
        Self { is_pseudo: true, ..Self::new(Lang::English) }
    }

    /// The language.
    pub const fn lang(&self) -> Lang {
        self.lang
    }

    /// The message `id` without variables.
    pub fn text(&self, id: &str) -> String {
        self.format(id, None)
    }

    /// The message `id` with variables; see [`args!`](crate::args).
    pub fn with(&self, id: &str, args: &FluentArgs<'_>) -> String {
        self.format(id, Some(args))
    }

    fn format(&self, id: &str, args: Option<&FluentArgs<'_>>) -> String {
        for bundle in [&self.own, &self.english] {
            if let Some(pattern) = bundle.get_message(id).and_then(|message| message.value()) {
                let mut errors = Vec::new();
                let text: Cow<'_, str> = bundle.format_pattern(pattern, args, &mut errors);
                debug_assert!(errors.is_empty(), "message `{id}`: {errors:?}");
                return if self.is_pseudo { format!("[{text}]") } else { text.into_owned() };
            }
        }
        debug_assert!(false, "no message `{id}`");
        id.to_owned()
    }
}

/// Variables of a message: `args!("model" => name, "count" => 3)`.
#[macro_export]
macro_rules! args {
    ($($name:literal => $value:expr),* $(,)?) => {{
        let mut args = $crate::i18n::FluentArgs::new();
        $(args.set($name, $value);)*
        args
    }};
}

fn bundle(lang: Lang) -> FluentBundle<FluentResource> {
    let id = match lang {
        Lang::English => langid!("en"),
        Lang::Chinese => langid!("zh-Hans"),
    };
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // Isolation marks are invisible characters that would break exact label queries and have no glyph.
    bundle.set_use_isolating(false);
    for (area, english, chinese) in CATALOGUES {
        let source = match lang {
            Lang::English => english,
            Lang::Chinese => chinese,
        };
        let resource = FluentResource::try_new((*source).to_owned()).unwrap_or_else(|(resource, errors)| {
            debug_assert!(false, "catalogue `{area}`: {errors:?}");
            resource
        });
        if let Err(errors) = bundle.add_resource(resource) {
            debug_assert!(false, "catalogue `{area}`: {errors:?}");
        }
    }
    bundle
}
