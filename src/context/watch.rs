//! When each source is asked, and what all of them say. A pure machine: time and chance are arguments.
//!
//! Polite by design: a source is asked at most every five minutes, only while somebody looks or a target that it speaks
//! of is not free, one request a page however many targets it concerns, and less and less often while it does not answer.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use url::Url;

use super::remark::{Origin, Remark, Says, Silence, judge_page, judge_upstreams, read_page};
use super::sources::{Concern, Subject};
use crate::core::target::TargetId;
use crate::listen::Observation;
use crate::listen::pages::{Source, Style};

/// Least time between two requests to a source; up to a fifth is added by chance.
pub const EVERY: SignedDuration = SignedDuration::from_mins(5);
/// The same while nobody looks and a target is not free.
pub const UNATTENDED: SignedDuration = SignedDuration::from_mins(15);
/// The longest wait of our own after failures.
pub const LONGEST_BACKOFF: SignedDuration = SignedDuration::from_mins(30);
/// A source's own wish is kept up to this.
pub const LONGEST_WISH: SignedDuration = SignedDuration::from_hours(6);
/// Requests at the same time.
pub const AT_ONCE: usize = 2;
/// Sources asked in all: the first of the chain win.
pub const MOST: usize = 24;
/// The first request goes out within this, so that many programs started by one event do not ask as one.
const FIRST_WITHIN_MS: u64 = 4_000;

/// What lets a server answer that nothing has changed; as the server wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`
    pub etag: Option<String>,
    /// `Last-Modified`
    pub modified: Option<String>,
}

/// A request that is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Where, and by which answers are told apart.
    pub url: Url,
    /// Of the document that is known.
    pub validators: Validators,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A document, whole.
    Document(Vec<u8>, Validators),
    /// The document has not changed.
    Unchanged,
    /// Nothing of use; `wait` is the server's own wish.
    Failed {
        /// Why.
        silence: Silence,
        /// How long it wants to be left alone.
        wait: Option<SignedDuration>,
    },
}

/// What a source is.
#[derive(Clone, Debug, PartialEq)]
enum Subjects {
    Page(&'static Source, Vec<(TargetId, &'static Concern)>),
    Statistics(Vec<TargetId>),
}

/// What was read of it.
#[derive(Clone, Debug, PartialEq)]
enum Read {
    Parts(Vec<Observation>),
    Whole(Says),
    Silent(Silence),
}

/// One source.
#[derive(Clone, Debug)]
struct Slot {
    url: Url,
    subjects: Subjects,
    validators: Validators,
    read: Read,
    asked_at: Option<Timestamp>,
    checked_at: Option<Timestamp>,
    /// Not before this moment.
    not_before: Option<Timestamp>,
    failures: u32,
    is_under_way: bool,
}

impl Slot {
    fn new(url: Url, subjects: Subjects) -> Self {
        Self {
            url,
            subjects,
            validators: Validators::default(),
            read: Read::Silent(Silence::NotAsked),
            asked_at: None,
            checked_at: None,
            not_before: None,
            failures: 0,
            is_under_way: false,
        }
    }

    fn targets(&self) -> Vec<&TargetId> {
        match &self.subjects {
            Subjects::Page(_, targets) => targets.iter().map(|(target, _)| target).collect(),
            Subjects::Statistics(targets) => targets.iter().collect(),
        }
    }

    /// When it may be asked, if there is a reason to.
    fn due_at(&self, interest: Interest) -> Option<Timestamp> {
        let every = match interest {
            _ if self.is_under_way => return None,
            Interest::None => return None,
            Interest::Unattended => UNATTENDED,
            Interest::Attended => EVERY,
        };
        let by_pace = self.asked_at.map_or(Timestamp::MIN, |at| at + every);
        Some(by_pace.max(self.not_before.unwrap_or(Timestamp::MIN)))
    }
}

/// Why a source would be asked now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// Nobody looks and all is well: it is not asked.
    None,
    /// Nobody looks, but a target is not free.
    Unattended,
    /// Somebody looks.
    Attended,
}

/// All sources of the settings.
#[derive(Debug)]
pub struct Watch {
    slots: Vec<Slot>,
    links: Vec<(TargetId, &'static Source)>,
    rng: fastrand::Rng,
}

impl Watch {
    /// A watch without sources.
    pub const fn new(rng: fastrand::Rng) -> Self {
        Self { slots: Vec::new(), links: Vec::new(), rng }
    }

    /// Watches what the table of sources has for these targets; what is known of sources that stay is kept.
    pub fn set_subjects(&mut self, subjects: &[Subject]) {
        let concerns = subjects.iter().filter_map(|subject| {
            let concern = Concern::of(subject.provider?)?;
            Some((subject.target.clone(), concern, concern.source()?))
        });
        let statistics = subjects.iter().filter_map(|subject| Some((subject.target.clone(), subject.statistics()?)));
        self.set(concerns.collect(), statistics.collect());
    }

    /// Watches these sources: of pages who, what of it and which; of statistics who and where.
    pub fn set(&mut self, pages: Vec<(TargetId, &'static Concern, &'static Source)>, statistics: Vec<(TargetId, Url)>) {
        let mut known = std::mem::take(&mut self.slots);
        self.links.clear();
        for (target, concern, source) in pages {
            match Url::parse(source.url) {
                Ok(url) if source.style != Style::Link => {
                    let subjects = self.slot(url, &mut known, || Subjects::Page(source, Vec::new()));
                    if let Some(Subjects::Page(_, targets)) = subjects {
                        targets.push((target, concern));
                    }
                }
                _ => self.links.push((target, source)),
            }
        }
        for (target, url) in statistics {
            if let Some(Subjects::Statistics(targets)) = self.slot(url, &mut known, || Subjects::Statistics(Vec::new()))
            {
                targets.push(target);
            }
        }
    }

    /// The subjects of the slot for an address: one that stands, else a known one emptied, else a new one.
    fn slot(&mut self, url: Url, known: &mut Vec<Slot>, subjects: impl Fn() -> Subjects) -> Option<&mut Subjects> {
        let at = match self.slots.iter().position(|slot| slot.url == url) {
            Some(at) => at,
            None if self.slots.len() >= MOST => return None,
            None => {
                let old = known.iter().position(|slot| slot.url == url).map(|at| known.swap_remove(at));
                self.slots.push(match old {
                    Some(slot) => Slot { subjects: subjects(), ..slot },
                    None => Slot::new(url, subjects()),
                });
                self.slots.len() - 1
            }
        };
        Some(&mut self.slots[at].subjects)
    }

    /// The requests to make now, at most [`AT_ONCE`] under way together. `interest` says why a target would be looked up.
    pub fn due(&mut self, now: Timestamp, interest: impl Fn(&TargetId) -> Interest) -> Vec<Order> {
        let mut room = AT_ONCE.saturating_sub(self.slots.iter().filter(|slot| slot.is_under_way).count());
        let mut orders = Vec::new();
        for slot in &mut self.slots {
            // A clock that was set back must not silence a source for as long as it ran ahead.
            if slot.asked_at.is_some_and(|at| at > now) {
                slot.asked_at = Some(now);
                slot.not_before = slot.not_before.map(|at| at.min(now + LONGEST_BACKOFF));
            }
            let Some(at) = slot.due_at(interest_of(slot, &interest)) else { continue };
            if slot.asked_at.is_none() && slot.not_before.is_none() {
                let wait = self.rng.u64(..FIRST_WITHIN_MS);
                slot.not_before = Some(now + SignedDuration::from_millis(i64::try_from(wait).unwrap_or_default()));
                continue;
            }
            if at <= now && room > 0 {
                room -= 1;
                slot.is_under_way = true;
                slot.asked_at = Some(now);
                orders.push(Order { url: slot.url.clone(), validators: slot.validators.clone() });
            }
        }
        orders
    }

    /// When to ask [`Watch::due`] next; `None` while there is nothing to wait for.
    pub fn wake_at(&self, interest: impl Fn(&TargetId) -> Interest) -> Option<Timestamp> {
        if self.slots.iter().filter(|slot| slot.is_under_way).count() >= AT_ONCE {
            return None;
        }
        self.slots.iter().filter_map(|slot| slot.due_at(interest_of(slot, &interest))).min()
    }

    /// Takes in an answer; one to a source that is no longer watched is dropped.
    pub fn answered(&mut self, url: &Url, answer: Answer, now: Timestamp) {
        let Some(slot) = self.slots.iter_mut().find(|slot| &slot.url == url) else { return };
        slot.is_under_way = false;
        slot.checked_at = Some(now);
        let mut wish = None;
        match answer {
            Answer::Document(document, validators) => {
                slot.read = match &slot.subjects {
                    Subjects::Page(source, _) => {
                        read_page(source, &document).map_or(Read::Silent(Silence::NotUnderstood), Read::Parts)
                    }
                    Subjects::Statistics(_) => match judge_upstreams(&document) {
                        Says::Unknown(silence) => Read::Silent(silence),
                        says => Read::Whole(says),
                    },
                };
                slot.validators = validators;
            }
            // Only an answer to validators of ours can be this, and we have none of what we did not understand.
            Answer::Unchanged => {}
            Answer::Failed { silence, wait } => {
                slot.read = Read::Silent(silence);
                wish = wait;
            }
        }
        let is_silent = matches!(slot.read, Read::Silent(_));
        if is_silent {
            // A document that was not kept must come whole the next time.
            slot.validators = Validators::default();
        }
        slot.failures = if is_silent { slot.failures.saturating_add(1).min(8) } else { 0 };
        let doubled = EVERY * (1 << slot.failures.saturating_sub(1).min(4));
        let wait = doubled.min(LONGEST_BACKOFF).max(wish.unwrap_or_default().min(LONGEST_WISH));
        let jitter = wait.as_millis() / 1000 * i128::from(self.rng.i64(0..200));
        let jitter = SignedDuration::from_millis(i64::try_from(jitter).unwrap_or_default());
        slot.not_before = Some(now + wait + jitter);
    }

    /// What all sources say, by target: the page before the statistics. A target without sources is absent.
    pub fn remarks(&self) -> HashMap<TargetId, Arc<[Remark]>> {
        let mut by_target: HashMap<TargetId, Vec<Remark>> = HashMap::new();
        let links = self.links.iter().map(|(target, source)| {
            (target, Remark { origin: Origin::Page(source.page), says: Says::Link, checked_at: None })
        });
        let read = self
            .slots
            .iter()
            .flat_map(|slot| slot.targets().into_iter().enumerate().map(move |(at, target)| (target, slot.remark(at))));
        for (target, remark) in links.chain(read) {
            by_target.entry(target.clone()).or_default().push(remark);
        }
        by_target.into_iter().map(|(target, remarks)| (target, remarks.into())).collect()
    }
}

impl Slot {
    /// What it says of the target at a place of its list.
    fn remark(&self, at: usize) -> Remark {
        let origin = match &self.subjects {
            Subjects::Page(source, _) => Origin::Page(source.page),
            Subjects::Statistics(_) => Origin::OpenRouter,
        };
        let says = match (&self.read, &self.subjects) {
            (Read::Silent(silence), _) => Says::Unknown(*silence),
            (Read::Whole(says), _) => says.clone(),
            (Read::Parts(parts), Subjects::Page(source, targets)) => judge_page(source, targets[at].1, parts),
            (Read::Parts(_), Subjects::Statistics(_)) => Says::Unknown(Silence::NotUnderstood),
        };
        Remark { origin, says, checked_at: self.checked_at }
    }
}

fn interest_of(slot: &Slot, interest: impl Fn(&TargetId) -> Interest) -> Interest {
    let interests = slot.targets().into_iter().map(interest);
    interests.fold(Interest::None, |most, other| match (most, other) {
        (Interest::Attended, _) | (_, Interest::Attended) => Interest::Attended,
        (Interest::Unattended, _) | (_, Interest::Unattended) => Interest::Unattended,
        (Interest::None, Interest::None) => Interest::None,
    })
}
