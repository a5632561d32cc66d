//! What is true at each moment of a simulation.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::core::outcome::{Kind, Scope};
use crate::core::sample::Sample;
use crate::core::target::{DailyCap, Dialect, ModelId, Probing, ProviderId, Role, Target, TargetId};

/// What a request to a target would get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The exact case.
    pub kind: Kind,
    /// Whom it speaks of.
    pub scope: Scope,
    /// The hint in the answer, in seconds.
    pub retry_after_s: Option<u32>,
    /// Until the first output, in milliseconds, when there is any.
    pub first_token_ms: u32,
}

impl Truth {
    /// Free, with a first token after 0.8 seconds.
    pub const FREE: Self =
        Self { kind: Kind::Available, scope: Scope::Model, retry_after_s: None, first_token_ms: 800 };
    /// No room for this model.
    pub const FULL: Self = Self { kind: Kind::AtCapacity, ..Self::FREE };

    /// This kind with its usual scope.
    pub const fn of(kind: Kind) -> Self {
        Self { kind, scope: usual_scope(kind), ..Self::FREE }
    }

    /// Free for use.
    pub const fn is_free(self) -> bool {
        matches!(self.kind, Kind::Available)
    }
}

/// The usual scope of a kind (errors.md, section 1).
const fn usual_scope(kind: Kind) -> Scope {
    match kind {
        Kind::Available | Kind::AtCapacity | Kind::ModelNotFound => Scope::Model,
        Kind::RateLimited | Kind::UsageLimit | Kind::QuotaExhausted | Kind::Auth | Kind::Forbidden => Scope::Account,
        Kind::ServerError | Kind::Timeout | Kind::Unrecognized => Scope::Provider,
        Kind::BadRequest | Kind::ContentFiltered | Kind::Misconfigured | Kind::Network | Kind::Skipped => Scope::Local,
    }
}

/// What is true at each moment.
#[derive(Clone, Debug)]
pub struct World {
    /// The targets in chain order.
    pub targets: Vec<Arc<Target>>,
    /// What is true of each from a moment on, oldest first.
    pub truth: HashMap<TargetId, Vec<(Timestamp, Truth)>>,
    /// Daily limits of providers, where they differ from the schedule's.
    pub provider_caps: HashMap<ProviderId, DailyCap>,
    /// When our own network is down.
    pub offline: Vec<Range<Timestamp>>,
    /// When the machine sleeps.
    pub asleep: Vec<Range<Timestamp>>,
    /// The simulated time.
    pub time: Range<Timestamp>,
}

impl World {
    /// A world in which all targets are free all the time.
    pub fn calm(targets: Vec<Arc<Target>>, time: Range<Timestamp>) -> Self {
        let truth = targets.iter().map(|target| (target.id.clone(), vec![(time.start, Truth::FREE)])).collect();
        Self { targets, truth, provider_caps: HashMap::new(), offline: Vec::new(), asleep: Vec::new(), time }
    }

    /// Says what is true of a target from a moment on; calls must come in the order of time.
    pub fn set(&mut self, target: &TargetId, from: Timestamp, truth: Truth) {
        self.truth.entry(target.clone()).or_default().push((from, truth));
    }

    /// What is true of a target; free before the first word of it.
    pub fn at(&self, target: &TargetId, at: Timestamp) -> Truth {
        let Some(states) = self.truth.get(target) else { return Truth::FREE };
        let index = states.partition_point(|(from, _)| *from <= at);
        index.checked_sub(1).map_or(Truth::FREE, |index| states[index].1)
    }

    /// Whether our own network is down.
    pub fn is_offline(&self, at: Timestamp) -> bool {
        covering(&self.offline, at).is_some()
    }

    /// The end of the sleep that covers `at`.
    pub fn wakes_at(&self, at: Timestamp) -> Option<Timestamp> {
        covering(&self.asleep, at).map(|range| range.end)
    }

    /// A world from the lines of a trace, in any order. A target's state holds until its next line, over gaps too.
    ///
    /// # Errors
    ///
    /// When a line says neither of a target nor of ourselves, when a stretch has no end, and when there is no line.
    pub fn from_lines(lines: &[TraceLine], defaults: &WorldDefaults) -> Result<Self, LineError> {
        let mut world = Self {
            targets: Vec::new(),
            truth: HashMap::new(),
            provider_caps: HashMap::new(),
            offline: Vec::new(),
            asleep: Vec::new(),
            time: Timestamp::MAX..Timestamp::MIN,
        };
        for (index, line) in lines.iter().enumerate() {
            world.add(index, line, defaults)?;
        }
        if world.targets.is_empty() || world.time.start >= world.time.end {
            return Err(LineError::NoTime);
        }
        for states in world.truth.values_mut() {
            states.sort_by_key(|(from, _)| *from);
            // Only changes matter: exported samples repeat the state thousands of times.
            states.dedup_by(|later, earlier| later.1.kind == earlier.1.kind && later.1.scope == earlier.1.scope);
        }
        for ranges in [&mut world.offline, &mut world.asleep] {
            ranges.sort_by_key(|range| range.start);
        }
        Ok(world)
    }

    /// The user's own history as a trace.
    ///
    /// # Errors
    ///
    /// [`LineError::NoTime`] when the samples cover no time.
    pub fn from_samples(
        samples: &[Sample],
        targets: &[Arc<Target>],
        defaults: &WorldDefaults,
    ) -> Result<Self, LineError> {
        let lines: Vec<_> = samples.iter().map(TraceLine::from).collect();
        let mut world = Self::from_lines(&lines, defaults)?;
        for own in &mut world.targets {
            if let Some(known) = targets.iter().find(|target| target.id == own.id) {
                // A target that is not probed by the schedule is simulated as if it were: that is the question.
                *own = Arc::new(Target { probing: Probing::Scheduled, ..(**known).clone() });
            }
        }
        Ok(world)
    }

    /// Keeps the first `days` of 24 hours.
    pub fn shorten(&mut self, days: u32) {
        let end = self.time.start.checked_add(SignedDuration::from_hours(24 * i64::from(days)));
        self.time.end = self.time.end.min(end.unwrap_or(Timestamp::MAX));
    }

    fn add(&mut self, index: usize, line: &TraceLine, defaults: &WorldDefaults) -> Result<(), LineError> {
        let from = line.from.or(line.at).ok_or(LineError::NoStart(index))?;
        self.time.start = self.time.start.min(from);
        self.time.end = self.time.end.max(line.to.unwrap_or(from));
        if let Some(own) = line.own {
            let to = line.to.ok_or(LineError::NoEnd(index))?;
            match own {
                Own::Offline => self.offline.push(from..to),
                Own::Asleep => self.asleep.push(from..to),
            }
            return Ok(());
        }
        let (Some(id), Some(kind)) = (&line.target, line.kind) else { return Err(LineError::NoState(index)) };
        let scope = line.scope.unwrap_or(usual_scope(kind));
        if !self.truth.contains_key(id) {
            let role = line.role.unwrap_or(if self.targets.is_empty() { Role::Primary } else { Role::Backup });
            self.targets.push(Arc::new(defaults.target(id.clone(), line.provider.clone(), role)));
        }
        let states = self.truth.entry(id.clone()).or_default();
        // What our own machine did says nothing of the target.
        if scope != Scope::Local && kind != Kind::Unrecognized {
            let first_token_ms = line.first_token_ms.unwrap_or(Truth::FREE.first_token_ms);
            states.push((from, Truth { kind, scope, retry_after_s: line.retry_after_s, first_token_ms }));
            if let Some(to) = line.to {
                states.push((to, Truth::FREE));
            }
        }
        Ok(())
    }
}

fn covering(ranges: &[Range<Timestamp>], at: Timestamp) -> Option<&Range<Timestamp>> {
    let index = ranges.partition_point(|range| range.start <= at).checked_sub(1)?;
    ranges.get(index).filter(|range| at < range.end)
}

/// Trouble of our own side in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Own {
    /// Our own network is down.
    Offline,
    /// The machine sleeps.
    Asleep,
}

/// One line of a trace, as JSON Lines or CSV with these names; others are ignored, so that exported samples are a trace.
///
/// Either a state of a target (`target`, `kind`, `from` or `at`, and what is known besides), which holds until the
/// target's next line or until `to`, after which it is free; or `own` with `from` and `to`.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct TraceLine {
    /// Whose state it is.
    pub target: Option<TargetId>,
    /// Its endpoint; without one every target has its own.
    pub provider: Option<ProviderId>,
    /// Its place in the chain; without one the first target is the primary, all others are backups.
    pub role: Option<Role>,
    /// From when on.
    pub from: Option<Timestamp>,
    /// The same, as exported samples call it.
    pub at: Option<Timestamp>,
    /// Until when.
    pub to: Option<Timestamp>,
    /// The exact case.
    pub kind: Option<Kind>,
    /// Whom it speaks of; the usual of the kind without one.
    pub scope: Option<Scope>,
    /// The answer's hint in seconds.
    pub retry_after_s: Option<u32>,
    /// Until the first output, in milliseconds.
    pub first_token_ms: Option<u32>,
    /// Trouble of our own side.
    pub own: Option<Own>,
}

impl From<&Sample> for TraceLine {
    fn from(sample: &Sample) -> Self {
        Self {
            target: Some(sample.target.clone()),
            at: Some(sample.at),
            kind: Some(sample.kind),
            scope: Some(sample.scope),
            retry_after_s: sample.retry_after_s,
            first_token_ms: sample.first_token_ms,
            ..Self::default()
        }
    }
}

/// What a trace does not say of its targets.
#[derive(Clone, Copy, Debug)]
pub struct WorldDefaults {
    /// The daily cap of each target.
    pub cap: DailyCap,
    /// Estimated tokens of a probe.
    pub tokens_per_probe: u32,
}

impl WorldDefaults {
    /// A remote, scheduled target.
    pub fn target(&self, id: TargetId, provider: Option<ProviderId>, role: Role) -> Target {
        Target {
            provider: provider.unwrap_or_else(|| ProviderId::new(id.as_str())),
            vendor: None,
            model: ModelId::new(id.as_str()),
            id,
            dialect: Dialect::OpenaiChat,
            role: Some(role),
            probing: Probing::Scheduled,
            daily_cap: self.cap,
            tokens_per_probe: self.tokens_per_probe,
            is_local: false,
        }
    }
}

/// What is wrong with a trace; the number is the line's index, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Neither `from` nor `at`.
    #[error("line {} has neither `from` nor `at`", .0 + 1)]
    NoStart(usize),
    /// `own` without `to`.
    #[error("line {} has `own` but no `to`", .0 + 1)]
    NoEnd(usize),
    /// Neither `own` nor `target` and `kind`.
    #[error("line {} has neither `own` nor both `target` and `kind`", .0 + 1)]
    NoState(usize),
    /// Nothing, or a single moment.
    #[error("the trace covers no time: it needs at least two moments")]
    NoTime,
}
