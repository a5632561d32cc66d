//! What the window remembers between frames: route, selection, filters. Knows no egui.

use serde::{Deserialize, Serialize};

use crate::core::outcome::Family;
use crate::core::target::TargetId;
use crate::i18n::Lang;
use crate::settings::ThemeChoice;
use crate::ui::screens::glance::place as glance;
use crate::ui::switching::Seat;
use crate::ui::tools::Asking;

/// A screen that the left rail leads to, or the first run's page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Screen {
    /// What can I use now?
    #[default]
    Board,
    /// When is it free?
    Heatmap,
    /// What should I use, and when?
    Sheet,
    /// What was when?
    History,
    /// Which tool uses what?
    Switch,
    /// What happened?
    Activity,
    /// What is it to do, and what may it cost?
    Settings,
    /// What was found, and what would watching it cost?
    Welcome,
}

impl Screen {
    /// The entries of the left rail, in order; their place is their shortcut's digit.
    pub const RAIL: [Self; 7] =
        [Self::Board, Self::Heatmap, Self::Sheet, Self::History, Self::Switch, Self::Activity, Self::Settings];

    /// The stable name used for message ids and `vacancy shot --screen`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Heatmap => "heatmap",
            Self::Sheet => "sheet",
            Self::History => "history",
            Self::Switch => "switch",
            Self::Activity => "activity",
            Self::Settings => "settings",
            Self::Welcome => "welcome",
        }
    }
}

/// The zoom in percent: 80 to 200 in steps of 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u16", into = "u16")]
pub struct Zoom(u16);

impl Zoom {
    /// A step of *Zoom in* and *Zoom out*, in percent.
    pub const STEP: i32 = 10;

    /// The zoom nearest to `percent` within the range.
    pub fn new(percent: i32) -> Self {
        Self(u16::try_from(percent.clamp(80, 200)).unwrap_or(100))
    }

    /// The zoom nearest to a factor of the settings, which hold it between 0.8 and 2.
    #[expect(clippy::cast_possible_truncation, reason = "a factor far out of the range is cut to it")]
    pub fn of_factor(factor: f32) -> Self {
        Self::new((factor * 100.0).round() as i32)
    }

    /// In percent.
    pub const fn percent(self) -> u16 {
        self.0
    }

    /// As a factor.
    pub fn factor(self) -> f32 {
        f32::from(self.0) / 100.0
    }

    /// The next larger (`1`) or smaller (`-1`) step.
    pub fn step(self, by: i32) -> Self {
        Self::new(i32::from(self.0) + by * Self::STEP)
    }
}

impl Default for Zoom {
    fn default() -> Self {
        Self(100)
    }
}

impl From<u16> for Zoom {
    fn from(percent: u16) -> Self {
        Self::new(i32::from(percent))
    }
}

impl From<Zoom> for u16 {
    fn from(zoom: Zoom) -> Self {
        zoom.0
    }
}

/// What lies over the screens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The list of shortcuts.
    Keys,
    /// What closing the window means.
    Closing {
        /// The answer is to be kept.
        is_kept: bool,
    },
    /// Which subscriptions' tools may be asked.
    Tools {
        /// The consent that is asked for.
        asking: Option<Asking>,
    },
    /// The command palette.
    Palette {
        /// What was typed.
        query: String,
        /// The highlighted line.
        index: usize,
    },
}

/// What the window remembers between frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UiState {
    /// Where we are.
    pub screen: Screen,
    /// The target whose detail is wanted.
    pub selected: Option<TargetId>,
    /// The user closed the detail panel: do not open it on our own.
    pub is_detail_closed: bool,
    /// The plain-words explanation in the detail panel is open.
    pub is_explained: bool,
    /// Activity: shown are lines with this text.
    pub filter: String,
    /// Activity: shown are lines of this family.
    pub family: Option<Family>,
    /// Activity: shown are notices alone.
    pub only_notices: bool,
    /// Activity: shown are switches alone.
    pub only_switches: bool,
    /// History: range and filters.
    pub history: crate::ui::screens::history::range::State,
    /// Switch: the tool whose detail is wanted.
    pub tool: Option<Seat>,
    /// Heatmap and Cheat sheet: what is in view.
    pub sheets: crate::ui::sheets::State,
    /// The filter field takes the focus in the next frame.
    pub wants_filter_focus: bool,
    /// What lies over the screens.
    pub overlay: Option<Overlay>,
    /// The theme the user chose; `None` follows the settings file.
    pub theme: Option<ThemeChoice>,
    /// The language the user chose; `None` follows settings and locale.
    pub lang: Option<Lang>,
    /// The zoom.
    pub zoom: Zoom,
    /// Whether the glance is open, and where it stood.
    pub glance: glance::Kept,
}

/// The part of [`UiState`] that outlives the program: a small JSON file in the cache folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// See [`UiState::screen`].
    pub screen: Screen,
    /// See [`UiState::selected`].
    pub selected: Option<TargetId>,
    /// See [`UiState::is_detail_closed`].
    pub is_detail_closed: bool,
    /// See [`UiState::theme`], by the name that the settings file uses; `None` leaves it to that file.
    pub theme: Option<String>,
    /// See [`UiState::lang`].
    pub lang: Option<Lang>,
    /// See [`UiState::zoom`].
    pub zoom: Zoom,
    /// See [`UiState::glance`].
    pub glance: glance::Kept,
}

impl Kept {
    /// Reads the file's text; anything unreadable is the default, as a look is never worth an error.
    pub fn from_json(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl UiState {
    /// Whether Activity leaves lines out.
    pub fn is_filtered(&self) -> bool {
        !self.filter.is_empty() || self.family.is_some() || self.only_notices || self.only_switches
    }

    /// Has Activity show every line.
    pub fn clear_filter(&mut self) {
        self.filter.clear();
        self.family = None;
        (self.only_notices, self.only_switches) = (false, false);
    }

    /// The state at the start of the program.
    pub fn restored(kept: Kept) -> Self {
        let Kept { screen, selected, is_detail_closed, theme, lang, zoom, glance } = kept;
        // The first run's page is shown because nothing is watched, never because it was shown last time.
        let screen = if screen == Screen::Welcome { Screen::Board } else { screen };
        let theme =
            ThemeChoice::ALL.into_iter().find(|(name, _)| theme.as_deref() == Some(*name)).map(|(_, theme)| theme);
        Self { screen, selected, is_detail_closed, theme, lang, zoom, glance, ..Self::default() }
    }

    /// The part that outlives the program.
    pub fn kept(&self) -> Kept {
        Kept {
            screen: self.screen,
            selected: self.selected.clone(),
            is_detail_closed: self.is_detail_closed,
            theme: self.theme.map(|theme| theme.name().to_owned()),
            lang: self.lang,
            zoom: self.zoom,
            glance: self.glance.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let state = UiState {
            screen: Screen::Activity,
            selected: Some("sol".into()),
            theme: Some(ThemeChoice::Light),
            lang: Some(Lang::Chinese),
            zoom: Zoom::new(130),
            filter: "not kept".into(),
            ..UiState::default()
        };
        let kept = Kept::from_json(&state.kept().to_json());
        assert_eq!(kept, state.kept());
        assert_eq!(UiState::restored(kept).filter, "");
    }

    #[test]
    fn damaged_or_foreign_files_are_the_default() {
        for text in ["", "{", "[]", r#"{"screen":"elsewhere"}"#, r#"{"zoom":"big"}"#] {
            assert_eq!(Kept::from_json(text), Kept::default(), "{text}");
        }
        assert_eq!(Kept::from_json(r#"{"zoom":900,"unknown":1}"#).zoom.percent(), 200);
    }

    #[test]
    fn zoom_stays_within_its_range() {
        assert_eq!(Zoom::new(80).step(-1).percent(), 80);
        assert_eq!(Zoom::new(195).step(1).percent(), 200);
        assert_eq!(Zoom::default().step(1).step(-1), Zoom::default());
    }
}
