//! The message catalogue: every shown string, in English and Simplified Chinese.
//!
//! Messages are [Fluent](https://projectfluent.org) files under `assets/i18n/<language>/<area>.ftl`, built in. A message
//! missing in a language falls back to English; an id missing in English is a bug that a test finds
//! (`tests/it/i18n.rs`), and shows as the id itself.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
pub use fluent_bundle::{FluentArgs, FluentValue};
use unic_langid::{LanguageIdentifier, langid};

/// Reads one area of a language's catalogue, a file, into the program.
macro_rules! catalogue {
    ($tag:tt: $($area:literal),* $(,)?) => {
        &[$(($area, include_str!(concat!("../assets/i18n/", $tag, "/", $area, ".ftl")))),*]
    };
}

/// The areas of the catalogue: one file each in every language.
macro_rules! areas {
    ($tag:tt) => {
        catalogue!($tag:
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
            "widgets",
        )
    };
}

/// Makes [`Lang`] of the list of languages: variant, BCP 47 tag, English name.
macro_rules! languages {
    ($($(#[$note:meta])* $lang:ident = $tag:tt $name:literal),* $(,)?) => {
        /// A language of the program.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum Lang {$(
            $(#[$note])*
            #[serde(rename = $tag)]
            $lang,
        )*}

        impl Lang {
            /// Every language.
            pub const ALL: [Self; [$($tag),*].len()] = [$(Self::$lang),*];

            /// What the settings take: the system's language, or a tag.
            pub const CHOICES: &[&str] = &["system" $(, $tag)*];

            /// The BCP 47 tag.
            pub const fn tag(self) -> &'static str {
                match self {$(Self::$lang => $tag),*}
            }

            /// Its English name, lower case, as in message ids.
            pub const fn name(self) -> &'static str {
                match self {$(Self::$lang => $name),*}
            }

            /// Its catalogue: areas and their Fluent source.
            pub const fn catalogue(self) -> &'static [(&'static str, &'static str)] {
                match self {$(Self::$lang => areas!($tag)),*}
            }

            fn identifier(self) -> LanguageIdentifier {
                match self {$(Self::$lang => langid!($tag)),*}
            }
        }
    };
}

languages! {
    /// English.
    #[default]
    English = "en" "english",
    /// Simplified Chinese.
    Chinese = "zh-Hans" "chinese",
}

impl Lang {
    /// The language for a tag or a POSIX locale name such as `zh_CN.UTF-8`, if we speak it.
    pub fn known(tag: &str) -> Option<Self> {
        let primary = |tag: &str| tag.split(['-', '_', '.']).next().unwrap_or_default().to_ascii_lowercase();
        Self::ALL.into_iter().find(|lang| primary(lang.tag()) == primary(tag))
    }

    /// The same; English when we have no better.
    pub fn from_tag(tag: &str) -> Self {
        Self::known(tag).unwrap_or_default()
    }
}

/// The words that the window speaks at this moment, for threads that outlive a change of its language: they ask when they
/// begin to say something.
#[derive(Clone)]
pub struct Spoken(Arc<RwLock<Tr>>);

impl Spoken {
    /// The words of now.
    pub fn now(&self) -> Tr {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Speaks these from now on; whether they are of another language.
    pub fn speak(&self, tr: &Tr) -> bool {
        let mut spoken = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let is_other = spoken.lang != tr.lang;
        if is_other {
            *spoken = tr.clone();
        }
        is_other
    }
}

impl From<Tr> for Spoken {
    fn from(tr: Tr) -> Self {
        Self(Arc::new(RwLock::new(tr)))
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
        let own = if lang == Lang::English { Arc::clone(&english) } else { Arc::new(bundle(lang)) };
        Self { lang, is_pseudo: false, own, english }
    }

    /// A language of the tests: English with its letters accented and two fifths longer, a message in brackets; what is put
    /// into a message stays as it is. Text without brackets did not come from the catalogue, and what has room for it has
    /// room for a language that is wordier than English.
    #[doc(hidden)]
    pub fn pseudo() -> Self {
        let mut own = bundle(Lang::English);
        own.set_transform(Some(accented));
        Self { is_pseudo: true, own: Arc::new(own), ..Self::new(Lang::English) }
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
                let text = if text.contains(SEAMS) { closed_up(&text) } else { text.into_owned() };
                return if self.is_pseudo { format!("[{text}]") } else { text };
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

/// The words of a message as [`Tr::pseudo`] writes them: no letter is plain, and vowels are repeated until there are two
/// letters more to five.
fn accented(words: &str) -> Cow<'_, str> {
    const PLAIN: &str = "aceghijklnorstuwyzACDEGHIJKLNORSTUWYZ";
    const ACCENTED: &str = "áçéĝĥíĵķľñöŕšťûŵýžÁÇĎÉĜĤÍĴĶĽÑÖŔŠŤÛŴÝŽ";
    let mut out = String::with_capacity(words.len() * 2);
    // What is still to be added, in fifths of a letter.
    let mut owed = 0;
    for letter in words.chars() {
        let accented = PLAIN.chars().zip(ACCENTED.chars()).find(|(plain, _)| *plain == letter);
        let letter = accented.map_or(letter, |(_, accented)| accented);
        out.push(letter);
        owed += 2;
        while owed >= 5 && "áéíöûý".contains(letter) {
            out.push(letter);
            owed -= 5;
        }
    }
    out.into()
}

/// What stands around whatever is put into a message: Unicode's first strong isolate and its end.
const SEAMS: [char; 2] = ['\u{2068}', '\u{2069}'];

/// The text without its seams, and without spaces there between Chinese and Chinese: beside Latin letters and figures there
/// is one, and a message cannot know which of both it will hold. What is put in stays as it is.
fn closed_up(text: &str) -> String {
    let is_between = |c: char| c == ' ' || SEAMS.contains(&c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(SEAMS) {
        let (before, _) = rest.split_at(start);
        let words = before.trim_end_matches(' ');
        let after = rest[start..].trim_start_matches(is_between);
        let gap = &rest[words.len()..rest.len() - after.len()];
        out.push_str(words);
        let are_chinese = |left: Option<char>, right: Option<char>| {
            left.zip(right).is_some_and(|(a, b)| is_chinese(a) && is_chinese(b))
        };
        if !are_chinese(out.chars().next_back(), after.chars().next()) {
            out.extend(gap.chars().filter(|c| *c == ' '));
        }
        rest = after;
    }
    out + rest
}

/// Chinese characters and the full-width signs that stand beside them.
fn is_chinese(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '“' | '”' | '…')
}

fn bundle(lang: Lang) -> FluentBundle<FluentResource> {
    let mut bundle = FluentBundle::new_concurrent(vec![lang.identifier()]);
    // Isolation marks are invisible characters that would break exact label queries and have no glyph. Chinese has them for
    // as long as `closed_up` needs them.
    bundle.set_use_isolating(lang == Lang::Chinese);
    for (area, source) in lang.catalogue() {
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
