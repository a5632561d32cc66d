//! What the window and the command line may ask of the engine.

use jiff::Timestamp;

use crate::core::sample::Sample;
use crate::core::schedule::NetworkState;
use crate::core::target::TargetId;
use crate::i18n::Lang;
use crate::listen::{Limit, Tool};
use crate::notify::{Answer, Trouble};

/// What tools' logs say of the user's own sessions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// New samples, oldest first.
    pub samples: Vec<Sample>,
    /// The newest reading of each window of a subscription.
    pub limits: Vec<Limit>,
    /// Sessions that are running, by tool.
    pub running: Vec<(Tool, usize)>,
    /// How far the logs are read with these samples: kept after them, so that none is passed over after a kill.
    pub cursors: Vec<(String, String)>,
}

/// A request to the engine; it answers with a new snapshot.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Probe these targets now, whatever the schedule says; empty means all that may be probed.
    ProbeNow(Vec<TargetId>),
    /// Probe nothing until then; `None` is until [`Request::Resume`].
    Pause(Option<Timestamp>),
    /// End a pause.
    Resume,
    /// The system says that there is a way out of this machine, or none.
    Network(NetworkState),
    /// Read the settings file again, and say that it was.
    ReloadSettings,
    /// This program has written the settings file: read it again.
    SettingsWritten,
    /// The window is in use (`true`) or was left (`false`): the schedule slows down when nobody looks.
    Attend(bool),
    /// Say notices and troubles in this language from now on.
    Speak(Lang),
    /// Take in what was heard of the user's own sessions.
    Evidence(Evidence),
    /// Take in how much of plans' windows is used, as a tool told without a request to a model.
    Limits(Vec<Limit>),
    /// Have tools use a target, by a click outside the Switch screen. Carried out by the engine's own hands; it comes back
    /// as a notice: switched, or refused with the reason.
    Use {
        /// Which tool, by its name in commands. `None` is every tool that uses a target of its chain which is not free now,
        /// or which Vacancy moved away from this very target, and that can reach it.
        tool: Option<String>,
        /// Which target.
        target: TargetId,
    },
    /// Take back an entry of the journal of switches.
    UndoSwitch {
        /// The journal's number.
        id: u64,
    },
    /// Tools were switched by other hands of this program, or their rules looked at: read them again.
    ToolsChanged,
    /// The user answered a notice: on the desktop, or in Activity.
    Answered(Answer),
    /// Say nothing of these targets until then; `None` is to say it again.
    Snooze {
        /// Which.
        targets: Vec<TargetId>,
        /// Until when.
        until: Option<Timestamp>,
    },
    /// Disturb nobody until then; `None` is to disturb again. Quiet hours of the settings stay as they are.
    DoNotDisturb(Option<Timestamp>),
    /// The hook or the webhook failed, or works again.
    NoticeTrouble(Trouble),
    /// Finish what is under way and stop.
    Quit,
}
