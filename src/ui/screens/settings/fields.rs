//! The single values of the settings file, as a table: where each stands, how it is shown and how it is written.

use crate::args;
use crate::core::alert::{About, QuietHours};
use crate::core::target::DailyCap;
use crate::edit::Value;
use crate::i18n::{Lang, Tr};
use crate::settings::amend::Amendment;
use crate::settings::{Close, Settings, ThemeChoice, duration};

/// A part of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Section {
    /// Language and looks.
    #[default]
    General,
    /// What becomes of the window that is not looked at.
    Background,
    /// What the user is told of.
    Notices,
    /// Who is asked, with which key, for which models.
    Providers,
    /// In which order models stand in for each other.
    Chains,
    /// When tools are switched by themselves.
    Rules,
    /// How often models are asked, and what that costs.
    Schedule,
    /// Who else is asked or told.
    Others,
    /// What is kept, how long and where.
    Data,
}

impl Section {
    /// Every section, in the order of the screen.
    pub const ALL: [Self; 9] = [
        Self::General,
        Self::Background,
        Self::Notices,
        Self::Providers,
        Self::Chains,
        Self::Rules,
        Self::Schedule,
        Self::Others,
        Self::Data,
    ];

    /// The stable name, used in message ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Background => "background",
            Self::Notices => "notices",
            Self::Providers => "providers",
            Self::Chains => "chains",
            Self::Rules => "rules",
            Self::Schedule => "schedule",
            Self::Others => "others",
            Self::Data => "data",
        }
    }

    /// Its title in words.
    pub fn title(self, tr: &Tr) -> String {
        tr.text(&format!("settings-screen-section-{}", self.name()))
    }

    /// What is typed waits for *Save*, as it is one decision; elsewhere it is written when the field is left.
    pub const fn waits(self) -> bool {
        matches!(self, Self::Schedule)
    }
}

/// How a value is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// On or off.
    Switch,
    /// One of a few names.
    Choice(&'static [&'static str]),
    /// A text.
    Text,
    /// A whole number.
    Whole,
    /// A number.
    Decimal,
    /// Stretches of the day, with commas between them.
    Hours,
    /// Half of a daily limit; the other half is the field with this id.
    Cap(Half, &'static str),
}

/// Half of a daily limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Requests.
    Requests,
    /// Tokens.
    Tokens,
}

/// A value as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// On or off.
    Switch(bool),
    /// A name of a choice, or a text; an empty one is none.
    Text(String),
}

impl Shown {
    /// As it would be typed.
    pub fn text(&self) -> String {
        match self {
            Self::Switch(is_on) => is_on.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// A single value of the file.
#[derive(Debug)]
pub struct Field {
    /// Unique; message ids are `settings-screen-<id>` and `settings-screen-<id>-help`.
    pub id: &'static str,
    /// Where it is shown.
    pub section: Section,
    /// The table of the file.
    pub table: &'static str,
    /// The key in it.
    pub key: &'static str,
    /// How it is chosen.
    pub form: Form,
    read: fn(&Settings) -> Shown,
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Field {}

const THEMES: &[&str] = &["system", "dark", "light"];
const CLOSES: &[&str] = &["ask", "tray", "quit"];
const ABOUTS: &[&str] = &["primary", "chain", "all"];

const fn field(
    id: &'static str,
    section: Section,
    (table, key): (&'static str, &'static str),
    form: Form,
    read: fn(&Settings) -> Shown,
) -> Field {
    Field { id, section, table, key, form, read }
}

fn on(is_on: bool) -> Shown {
    Shown::Switch(is_on)
}

fn text(text: impl Into<String>) -> Shown {
    Shown::Text(text.into())
}

/// Every field, in the order of the screen.
static FIELDS: &[Field] = &[
    field("ui-language", Section::General, ("ui", "language"), Form::Choice(Lang::CHOICES), |s| {
        text(s.ui.language.map_or("system", Lang::tag))
    }),
    field("ui-theme", Section::General, ("ui", "theme"), Form::Choice(THEMES), |s| text(ThemeChoice::name(s.ui.theme))),
    field("ui-high-contrast", Section::General, ("ui", "high_contrast"), Form::Switch, |s| on(s.ui.high_contrast)),
    field("ui-reduced-motion", Section::General, ("ui", "reduced_motion"), Form::Switch, |s| on(s.ui.reduced_motion)),
    field("ui-zoom", Section::General, ("ui", "zoom"), Form::Decimal, |s| text(s.ui.zoom.to_string())),
    field("ui-zone", Section::General, ("ui", "zone"), Form::Text, |s| {
        text(s.ui.zone.as_ref().and_then(|zone| zone.iana_name()).unwrap_or_default())
    }),
    field("background-close", Section::Background, ("background", "close"), Form::Choice(CLOSES), |s| {
        text(Close::name(s.background.close))
    }),
    field("background-tray", Section::Background, ("background", "tray"), Form::Switch, |s| on(s.background.tray)),
    field("background-start-hidden", Section::Background, ("background", "start_hidden"), Form::Switch, |s| {
        on(s.background.start_hidden)
    }),
    field("notices-about", Section::Notices, ("notices", "about"), Form::Choice(ABOUTS), |s| {
        let name = About::ALL.iter().find(|(_, about)| *about == s.notices.alert.about);
        text(name.map_or("", |(name, _)| *name))
    }),
    field("notices-recovered", Section::Notices, ("notices", "recovered"), Form::Switch, |s| {
        on(s.notices.alert.recovered)
    }),
    field("notices-full", Section::Notices, ("notices", "full"), Form::Switch, |s| on(s.notices.alert.full)),
    field("notices-limits", Section::Notices, ("notices", "limits"), Form::Switch, |s| on(s.notices.alert.limits)),
    field("notices-provider", Section::Notices, ("notices", "provider"), Form::Switch, |s| {
        on(s.notices.alert.provider)
    }),
    field("notices-flapping", Section::Notices, ("notices", "flapping"), Form::Switch, |s| {
        on(s.notices.alert.flapping)
    }),
    field("notices-reminders", Section::Notices, ("notices", "reminders"), Form::Text, |s| {
        text(s.notices.alert.reminders.map(duration::text).unwrap_or_default())
    }),
    field("notices-quiet", Section::Notices, ("notices", "quiet"), Form::Hours, |s| {
        text(s.notices.alert.quiet.iter().map(QuietHours::to_string).collect::<Vec<_>>().join(", "))
    }),
    field("notices-do-not-disturb", Section::Notices, ("notices", "do_not_disturb"), Form::Switch, |s| {
        on(s.notices.alert.do_not_disturb)
    }),
    field("schedule-every", Section::Schedule, ("schedule", "every"), Form::Text, |s| {
        text(duration::text(s.schedule.every))
    }),
    field("schedule-slow-every", Section::Schedule, ("schedule", "slow_every"), Form::Text, |s| {
        text(s.schedule.slow_every.map(duration::text).unwrap_or_default())
    }),
    field("schedule-confirm-down", Section::Schedule, ("schedule", "confirm_down"), Form::Whole, |s| {
        text(s.schedule.confirm_down.to_string())
    }),
    field("schedule-confirm-up", Section::Schedule, ("schedule", "confirm_up"), Form::Whole, |s| {
        text(s.schedule.confirm_up.to_string())
    }),
    field("schedule-slow-above", Section::Schedule, ("schedule", "slow_above"), Form::Text, |s| {
        text(duration::text(s.schedule.slow_above))
    }),
    field(
        "schedule-target-requests",
        Section::Schedule,
        ("schedule", "target_cap"),
        Form::Cap(Half::Requests, "schedule-target-tokens"),
        |s| text(cap_text(s.schedule.target_cap, Half::Requests)),
    ),
    field(
        "schedule-target-tokens",
        Section::Schedule,
        ("schedule", "target_cap"),
        Form::Cap(Half::Tokens, "schedule-target-requests"),
        |s| text(cap_text(s.schedule.target_cap, Half::Tokens)),
    ),
    field(
        "schedule-provider-requests",
        Section::Schedule,
        ("schedule", "provider_cap"),
        Form::Cap(Half::Requests, "schedule-provider-tokens"),
        |s| text(cap_text(s.schedule.provider_cap, Half::Requests)),
    ),
    field(
        "schedule-provider-tokens",
        Section::Schedule,
        ("schedule", "provider_cap"),
        Form::Cap(Half::Tokens, "schedule-provider-requests"),
        |s| text(cap_text(s.schedule.provider_cap, Half::Tokens)),
    ),
    field("context-status-pages", Section::Others, ("context", "status_pages"), Form::Switch, |s| {
        on(s.context.status_pages)
    }),
    field("metrics-listen", Section::Others, ("metrics", "listen"), Form::Text, |s| {
        text(s.metrics.listen.map(|listen| listen.to_string()).unwrap_or_default())
    }),
    field("data-keep-days", Section::Data, ("data", "keep_days"), Form::Whole, |s| text(s.data.keep_days.to_string())),
];

impl Field {
    /// Every field, in the order of the screen.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        FIELDS.iter()
    }

    /// The field with this id.
    pub fn find(id: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.id == id)
    }

    /// Its name in words.
    pub fn label(&self, tr: &Tr) -> String {
        tr.text(&format!("settings-screen-{}", self.id))
    }

    /// What it does, in a sentence.
    pub fn help(&self, tr: &Tr) -> String {
        tr.text(&format!("settings-screen-{}-help", self.id))
    }

    /// A name of its choice in words.
    pub fn option(&self, name: &str, tr: &Tr) -> String {
        let name = Lang::ALL.into_iter().find(|lang| lang.tag() == name).map_or(name, |lang| lang.name());
        tr.text(&format!("settings-screen-{}-{name}", self.id))
    }

    /// What it becomes by a text that is chosen or typed, in words.
    pub fn change(&self, typed: &str, tr: &Tr) -> String {
        let value = match self.form {
            Form::Switch => tr.text(if typed == "true" { "settings-screen-on" } else { "settings-screen-off" }),
            Form::Choice(_) => self.option(typed, tr),
            _ if typed.trim().is_empty() => tr.text("settings-screen-empty"),
            _ => typed.to_owned(),
        };
        tr.with("settings-screen-change", &args!("field" => self.label(tr), "value" => value))
    }

    /// One of these changes gives it its value.
    pub fn is_set_by(&self, amendments: &[Amendment]) -> bool {
        let sets = |one: &Amendment| matches!(one, Amendment::Put { table, key, .. } if (*table, *key) == (self.table, self.key));
        amendments.iter().any(sets)
    }

    /// Where it stands in the file.
    pub fn place(&self) -> String {
        format!("[{}] {}", self.table, self.key)
    }

    /// What it is in these settings.
    pub fn shown(&self, settings: &Settings) -> Shown {
        (self.read)(settings)
    }

    /// The change that writes `typed`; an empty text takes the line out. `other` knows what is typed in another field.
    ///
    /// What cannot be read as this field's form is written as a text, which the settings then refuse in their own words.
    pub fn amendment(&self, typed: &str, other: impl Fn(&str) -> Option<String>, settings: &Settings) -> Amendment {
        let typed = typed.trim();
        let value = match self.form {
            Form::Switch => typed.parse().ok().map(Value::Bool),
            Form::Cap(half, id) => {
                let other = other(id).or_else(|| Some(Self::find(id)?.shown(settings).text())).unwrap_or_default();
                match half {
                    Half::Requests => cap_value(typed, &other),
                    Half::Tokens => cap_value(&other, typed),
                }
            }
            _ if typed.is_empty() => None,
            Form::Choice(_) | Form::Text => Some(Value::text(typed)),
            Form::Whole => Some(whole(typed)),
            Form::Decimal => {
                let number = typed.replace(',', ".").parse::<f64>().ok().filter(|number| number.is_finite());
                Some(number.map_or_else(|| Value::text(typed), Value::Float))
            }
            Form::Hours => {
                let mut texts: Vec<Value> = hours_of(typed).into_iter().map(Value::text).collect();
                if texts.len() == 1 { texts.pop() } else { Some(Value::List(texts)) }
            }
        };
        Amendment::Put { table: self.table, key: self.key, value }
    }
}

/// Stretches between commas; days before a stretch may have commas of their own, as `mon,wed 22:00-07:00` has.
fn hours_of(typed: &str) -> Vec<String> {
    let mut stretches: Vec<String> = Vec::new();
    let mut days = String::new();
    for part in typed.split(',').map(str::trim) {
        if part.contains(':') || part.is_empty() {
            stretches.push(std::mem::take(&mut days) + part);
        } else {
            days = days + part + ",";
        }
    }
    if !days.is_empty() {
        stretches.push(days.trim_end_matches(',').to_owned());
    }
    stretches
}

fn whole(typed: &str) -> Value {
    typed.parse().map_or_else(|_| Value::text(typed), Value::Integer)
}

/// A daily limit as the file has it; what is left empty is not limited.
pub fn cap_value(requests: &str, tokens: &str) -> Option<Value> {
    let part = |name: &str, typed: &str| {
        let typed = typed.trim();
        (!typed.is_empty()).then(|| (name.to_owned(), whole(typed)))
    };
    let parts: Vec<_> = [part("requests", requests), part("tokens", tokens)].into_iter().flatten().collect();
    (!parts.is_empty()).then_some(Value::Table(parts))
}

/// Half of a daily limit, as it would be typed.
pub fn cap_text(cap: DailyCap, half: Half) -> String {
    let number = match half {
        Half::Requests => cap.requests,
        Half::Tokens => cap.tokens,
    };
    if number == u32::MAX { String::new() } else { number.to_string() }
}
