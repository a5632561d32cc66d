//! Hysteresis: from a target's newest samples to its confirmed state.
//!
//! | newest result | what confirms it |
//! |---|---|
//! | free | [`Thresholds::up`] in a row |
//! | full, limited, fault (not of local scope) | [`Thresholds::down`] in a row, of any of these kinds |
//! | needs the user (key, money, name, permission, settings) | at once: waiting does not heal it, and asking again would be hammering |
//! | says nothing of the model (own network, request refused, not understood) | [`Thresholds::down`] in a row |
//! | skipped | nothing: it ends the run, so that results from before and after a gap are not taken as one |
//!
//! The opposite result resets the count; one that says nothing of the model neither counts nor resets. After repeated
//! refusals in the user's sessions a passing probe says nothing for [`SESSIONS_WIN`]: the tiny request passes where real
//! work is refused.

use jiff::{SignedDuration, Timestamp};

use crate::core::board::Confirmed;
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::schedule::{SkipReason, Thresholds};

/// How long two or more refusals in the user's own sessions outweigh a passing probe.
pub const SESSIONS_WIN: SignedDuration = SignedDuration::from_mins(10);

/// What one result says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Free,
    Taken,
    NeedsUser,
    Nothing,
    Gap,
}

/// The part of a sample that hysteresis looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When the request began.
    pub at: Timestamp,
    /// The exact case.
    pub kind: Kind,
    /// Whom it speaks of.
    pub scope: Scope,
    /// Where it comes from.
    pub source: Source,
    /// A skip because our own network was down.
    is_offline: bool,
}

impl From<&Sample> for Mark {
    fn from(sample: &Sample) -> Self {
        let is_offline =
            [SkipReason::Offline, SkipReason::Portal].into_iter().any(|reason| sample.rule == reason.rule());
        Self { at: sample.at, kind: sample.kind, scope: sample.scope, source: sample.source, is_offline }
    }
}

impl Mark {
    const fn claim(self) -> Claim {
        match self.kind {
            Kind::Skipped => Claim::Gap,
            Kind::Available => Claim::Free,
            kind if kind.needs_user() => Claim::NeedsUser,
            Kind::ServerError | Kind::Timeout if matches!(self.scope, Scope::Local) => Claim::Nothing,
            Kind::AtCapacity | Kind::RateLimited | Kind::UsageLimit | Kind::ServerError | Kind::Timeout => Claim::Taken,
            _ => Claim::Nothing,
        }
    }

    /// A request of the user's own session that the model refused.
    const fn is_session_refusal(self) -> bool {
        matches!(self.source, Source::ToolLog | Source::Relay)
            && matches!(self.claim(), Claim::Taken | Claim::NeedsUser)
    }

    const fn is_passing_probe(self) -> bool {
        matches!(self.source, Source::Probe) && matches!(self.kind, Kind::Available)
    }
}

/// Whether a sample says what a confirmed state says.
pub(super) fn is_same_claim(confirmed: Confirmed, sample: &Sample) -> bool {
    claim_of(confirmed) == Mark::from(sample).claim()
}

fn claim_of(confirmed: Confirmed) -> Claim {
    let Confirmed { kind, scope, since } = confirmed;
    Mark { at: since, kind, scope, source: Source::Probe, is_offline: false }.claim()
}

/// What [`judge`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The confirmed state after the newest sample.
    pub confirmed: Option<Confirmed>,
    /// The newest result differs from the confirmed state and is not confirmed yet.
    pub is_pending: bool,
}

/// Judges the confirmed state, given the one before and the marks of a target, **newest first**.
pub fn judge(
    before: Option<Confirmed>,
    newest_first: impl Iterator<Item = Mark> + Clone,
    thresholds: Thresholds,
) -> Judgement {
    let keep = Judgement { confirmed: before, is_pending: false };
    let Some(newest) = newest_first.clone().next() else { return keep };
    if is_outweighed(newest, newest_first.clone().skip(1)) {
        return keep;
    }
    let claim = newest.claim();
    let before_claim = before.map(claim_of);
    // What came before a confirmed loss of sight is no part of a run after it.
    let lost_at = before.filter(|_| before_claim == Some(Claim::Nothing)).map(|confirmed| confirmed.since);
    let in_sight = newest_first.clone().take_while(|mark| lost_at.is_none_or(|lost| mark.at >= lost));
    let (count, since) = run(newest, in_sight, |mark| mark.claim() == claim);
    let change = |is_confirmed: bool, since: Timestamp| {
        let to = Confirmed { kind: newest.kind, scope: newest.scope, since };
        Judgement { confirmed: if is_confirmed { Some(to) } else { before }, is_pending: !is_confirmed }
    };
    match claim {
        Claim::Gap => keep,
        Claim::Free if before_claim == Some(claim) => keep,
        Claim::Free => change(count >= usize::from(thresholds.up), since),
        Claim::NeedsUser if before.is_some_and(|confirmed| confirmed.kind == newest.kind) => keep,
        Claim::NeedsUser => change(true, newest.at),
        Claim::Taken | Claim::Nothing
            if before_claim == Some(claim) && before.is_some_and(|confirmed| confirmed.kind == newest.kind) =>
        {
            keep
        }
        Claim::Taken if before_claim != Some(claim) => change(count >= usize::from(thresholds.down), since),
        // Not free either way: only which kind it is changes, and that asks for no probe of its own.
        Claim::Taken => {
            let (count, since) = run(newest, newest_first, |mark| mark.kind == newest.kind);
            Judgement { is_pending: false, ..change(count >= usize::from(thresholds.down), since) }
        }
        Claim::Nothing => {
            let mut count = 0;
            for mark in newest_first {
                match mark.claim() {
                    Claim::Nothing => count += 1,
                    // Known already, and said by one banner for all targets.
                    Claim::Gap if mark.is_offline && newest.scope == Scope::Local => return keep,
                    _ => break,
                }
            }
            change(count >= usize::from(thresholds.down), since)
        }
    }
}

/// The length of the unbroken run of marks that are `alike`, and its first moment.
fn run(
    newest: Mark,
    newest_first: impl Iterator<Item = Mark> + Clone,
    alike: impl Fn(Mark) -> bool,
) -> (usize, Timestamp) {
    let mut count = 0;
    let mut since = newest.at;
    let mut rest = newest_first;
    while let Some(mark) = rest.next() {
        if alike(mark) {
            if !is_outweighed(mark, rest.clone()) {
                count += 1;
                since = mark.at;
            }
        } else if mark.claim() != Claim::Nothing && !is_outweighed(mark, rest.clone()) {
            break;
        }
    }
    (count, since)
}

/// Whether a passing probe says nothing because the user's sessions were refused repeatedly just before it.
fn is_outweighed(mark: Mark, older: impl Iterator<Item = Mark>) -> bool {
    if !mark.is_passing_probe() {
        return false;
    }
    let mut sessions = older.filter(|other| other.source != Source::Probe && other.claim() != Claim::Nothing);
    let mut refused = || {
        sessions
            .next()
            .is_some_and(|other| other.is_session_refusal() && mark.at.duration_since(other.at) <= SESSIONS_WIN)
    };
    refused() && refused()
}

/// Whether probes pass while the user's sessions are refused: the newest session result is a refusal that is newer
/// than the newest, passing probe, or outweighs it.
pub fn is_refused_in_sessions(newest_first: impl Iterator<Item = Mark> + Clone) -> bool {
    let mut refused_later = false;
    let mut rest = newest_first;
    while let Some(mark) = rest.next() {
        match mark.source {
            _ if matches!(mark.claim(), Claim::Gap | Claim::Nothing) => {}
            Source::Probe => {
                return mark.is_passing_probe() && (refused_later || is_outweighed(mark, rest));
            }
            Source::ToolLog | Source::Relay if mark.is_session_refusal() => refused_later = true,
            Source::ToolLog | Source::Relay if !refused_later => return false,
            Source::ToolLog | Source::Relay => {}
        }
    }
    false
}
