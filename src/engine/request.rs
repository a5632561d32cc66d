//! What the window and the command line may ask of the engine.

use jiff::Timestamp;

use crate::core::target::TargetId;
use crate::i18n::Lang;

/// A request to the engine; it answers with a new snapshot.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Probe these targets now, whatever the schedule says; empty means all that may be probed.
    ProbeNow(Vec<TargetId>),
    /// Probe nothing until then; `None` is until [`Request::Resume`].
    Pause(Option<Timestamp>),
    /// End a pause.
    Resume,
    /// Read the settings file again.
    ReloadSettings,
    /// The window is in use (`true`) or was left (`false`): the schedule slows down when nobody looks.
    Attend(bool),
    /// Say notices and troubles in this language from now on.
    Speak(Lang),
    /// Finish what is under way and stop.
    Quit,
}
