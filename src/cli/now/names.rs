//! What a template of `vacancy now --format` can name: facts of the board and of a target, and filters. Pure.

/// A fact of the whole board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// The time of day.
    At,
    /// The sentence of the Board.
    Headline,
    /// The sentence on the primary model.
    Subline,
    /// How many targets of the chain are free.
    Free,
    /// How many targets the chain has.
    Total,
    /// A line break.
    Newline,
}

/// Whose fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// The first free target of the chain.
    FirstFree,
    /// The primary target, or the first of the chain.
    Primary,
    /// The target in turn, inside `{each}`.
    Each,
    /// The target with this id.
    Named(String),
}

/// A fact of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Its id.
    Target,
    /// The provider's id.
    Provider,
    /// The model's name.
    Model,
    /// Its place in the chain.
    Role,
    /// The stable name of the confirmed kind, `unknown` without one.
    Kind,
    /// The stable name of the family at this moment.
    Family,
    /// The sign of the family.
    Mark,
    /// The state in words, as on the Board.
    State,
    /// What to do, in words, as on the Board.
    Advice,
    /// Since when the state holds, as a time of day.
    Since,
    /// For how long it has held.
    Age,
    /// When it was looked at last.
    LastAt,
    /// The newest time to the first token.
    FirstToken,
    /// When it is looked at next.
    NextProbe,
    /// The next time in which it is usually free.
    NextQuiet,
}

pub(super) const WHOLES: [(&str, Whole); 6] = [
    ("at", Whole::At),
    ("headline", Whole::Headline),
    ("subline", Whole::Subline),
    ("free", Whole::Free),
    ("total", Whole::Total),
    ("newline", Whole::Newline),
];

pub(super) const FACTS: [(&str, Fact); 15] = [
    ("target", Fact::Target),
    ("provider", Fact::Provider),
    ("model", Fact::Model),
    ("role", Fact::Role),
    ("kind", Fact::Kind),
    ("family", Fact::Family),
    ("mark", Fact::Mark),
    ("state", Fact::State),
    ("advice", Fact::Advice),
    ("since", Fact::Since),
    ("age", Fact::Age),
    ("last_at", Fact::LastAt),
    ("first_token", Fact::FirstToken),
    ("next_probe", Fact::NextProbe),
    ("next_quiet", Fact::NextQuiet),
];

pub(super) const SCOPES: [&str; 2] = ["first_free", "primary"];
pub(super) const WORDS: [&str; 3] = ["each", "between", "end"];
pub(super) const FILTERS: [(&str, Filter); 3] =
    [("json", Filter::Json), ("pango", Filter::Pango), ("tmux", Filter::Tmux)];

/// A value that stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// Of the board.
    Whole(Whole),
    /// Of a target.
    Target(Of, Fact),
}

/// What is done with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// For the inside of a JSON string.
    Json,
    /// For Pango markup: waybar, i3 bars.
    Pango,
    /// For tmux, where `#` begins a format.
    Tmux,
    /// At most so many characters, the last one `…` where something was cut.
    Most(usize),
}

impl Filter {
    /// The value after it.
    pub fn apply(self, value: &str) -> String {
        match self {
            Self::Json => {
                let quoted = serde_json::Value::from(value).to_string();
                quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
            }
            Self::Pango => {
                let mut out = String::with_capacity(value.len());
                for c in value.chars() {
                    match c {
                        '&' => out.push_str("&amp;"),
                        '<' => out.push_str("&lt;"),
                        '>' => out.push_str("&gt;"),
                        '\'' => out.push_str("&#39;"),
                        '"' => out.push_str("&quot;"),
                        _ => out.push(c),
                    }
                }
                out
            }
            Self::Tmux => value.replace('#', "##"),
            Self::Most(most) if value.chars().count() > most => {
                value.chars().take(most.saturating_sub(1)).chain(['…']).collect()
            }
            Self::Most(_) => value.to_owned(),
        }
    }
}
