//! The window that is not looked at: what closing means, when it hides and comes back, and what the tray can ask. Pure; the
//! tray's picture is in [`sign`], its words in [`tray`], the question at closing in [`dialog`].

pub mod dialog;
pub mod sign;
pub mod tray;

use crate::core::target::TargetId;
use crate::settings::Close;

/// What the user does about the window, or through the tray.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Bring the window to the front.
    Show,
    /// Open the glance, whether it is open or not.
    OpenGlance,
    /// Put it away; watching goes on.
    Retire,
    /// End the program.
    Quit,
    /// Bring the window to the front with this target.
    Select(TargetId),
    /// Have a tool use a target.
    Use {
        /// Its name in commands.
        tool: &'static str,
        /// The target.
        target: TargetId,
    },
    /// Probe nothing for an hour.
    Pause,
    /// End the pause.
    Resume,
    /// Hold notices back for an hour (`true`), or no longer.
    Quiet(bool),
    /// Open or close the glance.
    Glance,
}

/// What somebody outside of the window says to it.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Do this.
    Act(Act),
    /// There is a tray that shows our icon, or none.
    Tray(bool),
    /// The icon in the tray was clicked.
    Clicked,
}

/// Where the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the screen, or under another window.
    Shown,
    /// Nowhere: only the tray or a second start brings it back.
    Hidden,
    /// In the list of windows.
    Minimised,
}

/// What is to be done with the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Show it and give it the focus.
    Show,
    /// Take it off the screen and out of the list of windows.
    Hide,
    /// Put it into the list of windows.
    Minimise,
    /// Ask what closing means.
    Ask,
    /// End the program.
    Quit,
}

/// Where the window is and why. A window is hidden only while a tray shows our icon, so that there is always a way back.
#[derive(Clone, Copy, Debug)]
pub struct Presence {
    /// The window system can hide windows and show them again.
    can_hide: bool,
    /// Whether a tray shows our icon; `None` is not known yet.
    has_tray: Option<bool>,
    place: Place,
    is_quitting: bool,
}

impl Presence {
    /// At the start; `is_quiet` is a start without a window on the screen.
    pub const fn new(can_hide: bool, is_quiet: bool) -> Self {
        let place = if is_quiet { Place::Hidden } else { Place::Shown };
        Self { can_hide, has_tray: None, place, is_quitting: false }
    }

    /// Where the window is.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// Whether a tray shows our icon.
    pub fn has_tray(&self) -> bool {
        self.has_tray == Some(true)
    }

    /// The user closed the window. Without anything that is watched (`is_idle`) there is no reason to go on.
    pub fn close(&mut self, close: Close, is_idle: bool) -> Step {
        match close {
            _ if self.is_quitting || is_idle => self.quit(),
            Close::Quit => self.quit(),
            Close::Ask => Step::Ask,
            Close::Tray => self.retire(),
        }
    }

    /// The program is to end, whatever closing means.
    pub fn quit(&mut self) -> Step {
        self.is_quitting = true;
        Step::Quit
    }

    /// The window is put away.
    pub fn retire(&mut self) -> Step {
        if self.can_hide && self.has_tray() {
            self.place = Place::Hidden;
            Step::Hide
        } else {
            self.place = Place::Minimised;
            Step::Minimise
        }
    }

    /// The window is wanted.
    pub fn show(&mut self) -> Step {
        self.place = Place::Shown;
        Step::Show
    }

    /// The icon in the tray was clicked while the window had the focus or not.
    pub fn click(&mut self, is_focused: bool) -> Step {
        if self.place == Place::Shown && is_focused { self.retire() } else { self.show() }
    }

    /// A tray shows our icon, or none does. What is minimised stays so: no window system takes it from there without
    /// showing it first.
    pub fn tray(&mut self, is_present: bool) -> Option<Step> {
        self.has_tray = Some(is_present);
        let is_lost = self.place == Place::Hidden && !(is_present && self.can_hide);
        is_lost.then(|| self.retire())
    }

    /// The window was seen on the screen: the user may bring it back by the list of windows.
    pub const fn seen(&mut self) {
        if matches!(self.place, Place::Minimised) {
            self.place = Place::Shown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(has_tray: bool) -> Presence {
        let mut presence = Presence::new(true, false);
        assert_eq!(presence.tray(has_tray), None);
        presence
    }

    #[test]
    fn closing_means_what_the_settings_say() {
        let cases = [
            (Close::Ask, false, Step::Ask, Step::Ask),
            (Close::Tray, false, Step::Hide, Step::Minimise),
            (Close::Quit, false, Step::Quit, Step::Quit),
            (Close::Ask, true, Step::Quit, Step::Quit),
            (Close::Tray, true, Step::Quit, Step::Quit),
        ];
        for (close, is_idle, with_tray, without) in cases {
            assert_eq!(shown(true).close(close, is_idle), with_tray, "{close:?}");
            assert_eq!(shown(false).close(close, is_idle), without, "{close:?}");
        }
        let mut quitting = shown(true);
        quitting.quit();
        assert_eq!(quitting.close(Close::Tray, false), Step::Quit, "a signal is no close button");
    }

    #[test]
    fn a_window_is_hidden_only_while_there_is_a_way_back() {
        let mut presence = shown(true);
        assert_eq!(presence.retire(), Step::Hide);
        assert_eq!(presence.tray(false), Some(Step::Minimise), "the tray died");
        assert_eq!(presence.tray(true), None);
        assert_eq!(presence.show(), Step::Show);
        assert_eq!((presence.tray(false), presence.tray(true)), (None, None), "what is on the screen stays there");

        let mut minimised = shown(false);
        assert_eq!(minimised.retire(), Step::Minimise);
        assert_eq!(minimised.tray(true), None, "the user put it there");
        minimised.seen();
        assert_eq!(minimised.click(true), Step::Hide, "and has it on the screen again");

        let mut cannot = Presence::new(false, false);
        cannot.tray(true);
        assert_eq!(cannot.retire(), Step::Minimise);
    }

    #[test]
    fn a_quiet_start_is_hidden_or_minimised() {
        let quiet = |can_hide, has_tray| {
            let mut presence = Presence::new(can_hide, true);
            (presence.tray(has_tray), presence.place())
        };
        assert_eq!(quiet(true, true), (None, Place::Hidden), "it is hidden already");
        for (can_hide, has_tray) in [(true, false), (false, true), (false, false)] {
            assert_eq!(quiet(can_hide, has_tray), (Some(Step::Minimise), Place::Minimised));
        }
    }

    #[test]
    fn a_click_brings_it_to_the_front_or_puts_it_away() {
        let mut presence = shown(true);
        assert_eq!(presence.click(false), Step::Show, "it was under another window");
        assert_eq!(presence.click(true), Step::Hide);
        assert_eq!(presence.click(false), Step::Show);
    }
}
