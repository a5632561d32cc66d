//! What a change of the settings does, kept so that it can be said in the language of the moment. Pure.

use super::fields::Field;
use crate::args;
use crate::edit::shown_value;
use crate::format;
use crate::i18n::Tr;
use crate::settings::edit::walk::Third;

/// What a change does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// A field got what was chosen or typed.
    Field(&'static Field, String),
    /// Several fields were saved at once.
    Fields(Vec<&'static Field>),
    /// A dialog's task was done: its name, and whom it was about.
    Task(&'static str, String),
    /// A chain has another order.
    Order(String),
}

impl About {
    /// In words.
    pub fn words(&self, tr: &Tr) -> String {
        match self {
            Self::Field(field, typed) => field.change(typed, tr),
            Self::Fields(fields) => {
                let names: Vec<String> = fields.iter().map(|field| field.label(tr)).collect();
                format::list(&names, tr)
            }
            Self::Task(name, of) => tr.with(&format!("settings-screen-did-{name}"), &args!("name" => &**of)),
            Self::Order(chain) => tr.with("settings-screen-did-chain", &args!("name" => &**chain)),
        }
    }
}

/// A value that somebody else has given since, in words.
pub fn third(third: &Third, tr: &Tr) -> String {
    let key = third.spot.last().map_or("", String::as_str);
    let value = |value: &Option<String>| {
        value.as_ref().map_or_else(
            || tr.text("settings-screen-empty"),
            // A comment is no value of a key.
            |value| if value.starts_with('#') { value.clone() } else { shown_value(key, value) },
        )
    };
    let field = match &third.spot[..] {
        [table, key] => Field::all().find(|field| (field.table, field.key) == (table, key)),
        _ => None,
    };
    let field = field.map_or_else(|| third.spot.join(" · "), |field| field.label(tr));
    if third.now == third.wanted {
        return tr.with("settings-screen-conflict-stays", &args!("field" => field));
    }
    let (now, wanted) = (value(&third.now), value(&third.wanted));
    tr.with("settings-screen-conflict-third", &args!("field" => field, "now" => now, "wanted" => wanted))
}
