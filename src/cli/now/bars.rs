//! Lines for the usual status bars, by name: what each wants in place of plain text. Pure.

use serde_json::json;

use super::fields::{self, Facts};
use super::names::{Fact, Filter, Of};
use crate::core::board::Entry;
use crate::core::outcome::Family;
use crate::ui::screens::board::model::shown_family;
use crate::ui::theme::Palette;

/// A bar with a form of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// One JSON object: `text`, `alt`, `tooltip`, `class`, `percentage`; text and tooltip are Pango markup.
    Waybar,
    /// Three lines: text, short text, colour.
    I3blocks,
    /// A coloured text in tmux's own marks.
    Tmux,
    /// A coloured text in polybar's own marks.
    Polybar,
    /// A title and a menu; SwiftBar and Argos read it too.
    Xbar,
}

impl Bar {
    /// Every one by its name.
    pub const ALL: [(&'static str, Self); 5] = [
        ("waybar", Self::Waybar),
        ("i3blocks", Self::I3blocks),
        ("tmux", Self::Tmux),
        ("polybar", Self::Polybar),
        ("xbar", Self::Xbar),
    ];

    /// The line or lines, without the last line break.
    pub fn text(self, facts: &Facts<'_>) -> String {
        let shown = facts.entry(&Of::FirstFree, None).or_else(|| facts.entry(&Of::Primary, None));
        let family = shown.map_or(Family::Unknown, |entry| shown_family(entry, facts.now));
        let color = hex(family);
        let title = shown.map_or_else(|| facts.headline(), |entry| line(facts, entry, false));
        match self {
            Self::Waybar => {
                let pango = |text: &str| Filter::Pango.apply(text);
                let rows = facts.chain().into_iter().map(|entry| line(facts, entry, true));
                let tooltip: Vec<String> =
                    std::iter::once(facts.headline()).chain(rows).map(|row| pango(&row)).collect();
                let chain = facts.chain();
                let free = chain.iter().filter(|entry| entry.is_free(facts.now)).count();
                json!({
                    "text": pango(&title),
                    "alt": family.name(),
                    "tooltip": tooltip.join("\n"),
                    "class": [family.name()],
                    "percentage": (free * 100).checked_div(chain.len()).unwrap_or(0),
                })
                .to_string()
            }
            Self::I3blocks => {
                let short = shown.map_or_else(String::new, |entry| facts.fact(entry, Fact::Mark));
                format!("{}\n{short}\n{color}", one_line(&title))
            }
            Self::Tmux => format!("#[fg={color}]{}#[default]", Filter::Tmux.apply(&one_line(&title))),
            // Its own marks begin with a percent sign and a brace.
            Self::Polybar => format!("%{{F{color}}}{}%{{F-}}", one_line(&title).replace("%{", "%%{")),
            Self::Xbar => {
                // Behind a bar stand its parameters.
                let plain = |text: &str| one_line(text).replace('|', "¦");
                let mut text = format!("{}\n---\n{}\n", plain(&title), plain(&facts.headline()));
                for entry in facts.chain() {
                    let color = hex(shown_family(entry, facts.now));
                    text += &format!("{} | color={color}\n", plain(&line(facts, entry, true)));
                }
                text + &format!("---\n{} | refresh=true", plain(&facts.tr.text("glance-bar-refresh")))
            }
        }
    }
}

/// Sign and name, and the state in words where there is room.
fn line(facts: &Facts<'_>, entry: &Entry, is_long: bool) -> String {
    let model = facts.snapshot.board.name_of(&entry.target.id);
    let name = format!("{} {model}", fields::sign(fields::mark(entry, facts.now)));
    if is_long || !entry.is_free(facts.now) { format!("{name} · {}", facts.fact(entry, Fact::State)) } else { name }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The colour of a family on a dark ground, as bars usually are: `#rrggbb`.
fn hex(family: Family) -> String {
    let [r, g, b, _] = Palette::of(true, false).family(family).to_array();
    format!("#{r:02x}{g:02x}{b:02x}")
}
