//! Advice as data: what a regular would say. Screens, the `sheet` verb and notices turn it into words.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::change::Change;
use super::outages::{DayPart, Remaining};
use super::slots::{KNOWN_WEEKS, SLOTS, Slot};
use super::target::{BusyOn, TargetSheet};
use super::windows::Window;
use super::{Sheet, is_good};
use crate::core::target::TargetId;

/// How long waiting is worth it: half of the outages end within this.
pub const WORTH_WAITING: SignedDuration = SignedDuration::from_mins(15);

/// Hours of the day that were watched at all below which the day has no pattern, however old the record is.
const DAY_HOURS: usize = 6;

/// How long before a usual busy time to switch.
pub const SWITCH_AHEAD: SignedDuration = SignedDuration::from_mins(10);

/// One sentence about one target.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// Usually free in every hour of the week.
    FreeAllWeek {
        /// The lowest share of an hour.
        worst: f64,
    },
    /// Usually busy in every hour of the week.
    BusyAllWeek {
        /// The highest share of an hour.
        best: f64,
    },
    /// No busy time is left today, but there are others in the week.
    FreeToday,
    /// A busy time of today lies ahead: switch before it.
    BusyToday {
        /// Which, with start and usual return.
        busy: BusyOn,
        /// When to switch: [`SWITCH_AHEAD`] before it begins, not before now.
        switch_at: Timestamp,
    },
    /// A usual busy time is on now.
    BusyNow(BusyOn),
    /// The next quiet window, where none is open now.
    Quiet(Window),
    /// How long outages last.
    OutagesLast(Remaining),
    /// What changed lately.
    Changed(Change),
    /// Too little is known for more.
    Missing(Missing),
}

/// Why less is said than could be, and when it will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No counted sample yet.
    Everything,
    /// Not yet a day of evidence: the pattern of the day is a guess.
    Day {
        /// When it will be there, if evidence keeps coming as it does.
        known_at: Timestamp,
    },
    /// A day and more, but hardly an hour of it was watched.
    Hours {
        /// Hours of the day that were.
        seen: u32,
    },
    /// Not yet a week: weekdays cannot be told apart.
    Week {
        /// When a first week will be full.
        known_at: Timestamp,
    },
    /// Not yet enough weeks for most hours to be known.
    Weeks {
        /// Hours of the week that are known.
        known: u32,
        /// Hours of the week with any evidence.
        seen: u32,
        /// When three weeks will be full; `None` where most hours are never watched, so that no time brings them.
        known_at: Option<Timestamp>,
    },
}

/// What to do about a target that is away now.
#[derive(Clone, Debug, PartialEq)]
pub enum WaitOrSwitch {
    /// It is usually back soon.
    Wait {
        /// How much longer it usually takes.
        remaining: Remaining,
    },
    /// It usually takes longer than a switch is worth.
    Switch {
        /// To which target of the chain: the first that is usually free now, else the likeliest.
        to: Option<TargetId>,
        /// How much longer it usually takes.
        remaining: Remaining,
        /// When the target is usually back by the hour of the week, if this is a usual busy time.
        back: Option<Timestamp>,
    },
    /// Too few outages were seen to say.
    Unknown {
        /// Outages seen to end.
        outages: u32,
        /// The same as for [`WaitOrSwitch::Switch`].
        to: Option<TargetId>,
    },
}

impl TargetSheet {
    /// The sentences that are worth saying now, most useful first. Never empty.
    pub fn advice(&self, now: Timestamp, zone: &TimeZone) -> Vec<Advice> {
        let missing = self.missing(now);
        if self.is_early(now) {
            return missing.map(Advice::Missing).into_iter().collect();
        }
        let mut advice = Vec::new();
        let today = self.busy_today(now, zone);
        let shares = || self.slots.iter().map(|(_, cell)| cell.share);
        match today.first() {
            _ if self.is_always_busy() => advice.push(Advice::BusyAllWeek { best: shares().fold(0.0, f64::max) }),
            Some(busy) if busy.start <= now => advice.push(Advice::BusyNow(*busy)),
            Some(busy) => {
                let switch_at = busy.start.saturating_sub(SWITCH_AHEAD).unwrap_or(now).max(now);
                advice.push(Advice::BusyToday { busy: *busy, switch_at });
            }
            None if self.busy.is_empty() && self.slots.iter().all(|(_, cell)| is_good(cell) && cell.weeks > 0) => {
                advice.push(Advice::FreeAllWeek { worst: shares().fold(1.0, f64::min) });
            }
            None if self.is_watched(now, zone) && self.is_free_today(now, zone) => advice.push(Advice::FreeToday),
            None => {}
        }
        advice.extend(self.next_quiet(now, zone).filter(|window| window.start > now).map(Advice::Quiet));
        advice.extend(self.change.map(Advice::Changed));
        advice.extend(self.outages.typical().filter(|typical| typical.median.is_some()).map(Advice::OutagesLast));
        advice.extend(missing.map(Advice::Missing));
        advice
    }

    /// Whether anything was ever seen in at least a quarter of the hours that the local day of a moment still has.
    pub fn is_watched(&self, from: Timestamp, zone: &TimeZone) -> bool {
        let first = Slot::at(from, zone);
        let hours = (first.hour()..24).filter_map(|hour| Slot::new(first.weekday(), hour));
        let (seen, all) =
            hours.fold((0, 0), |(seen, all), slot| (seen + usize::from(self.slots.get(slot).weeks > 0), all + 1));
        seen * 4 >= all
    }

    /// Whether it is usually free from a moment to the end of its local day.
    pub fn is_free_today(&self, from: Timestamp, zone: &TimeZone) -> bool {
        let date = |at: Timestamp| zone.to_datetime(at).date();
        self.open_window(from, zone).is_some_and(|window| date(window.end) > date(from))
    }

    /// Whether every day is a busy time as a whole.
    pub fn is_always_busy(&self) -> bool {
        self.busy.len() == 7 && self.busy.iter().all(|busy| (busy.start, busy.end) == (0, 1440))
    }

    /// Whether too little was seen to speak of any habit.
    pub fn is_early(&self, now: Timestamp) -> bool {
        matches!(self.missing(now), Some(Missing::Everything | Missing::Day { .. } | Missing::Hours { .. }))
    }

    /// What is still missing, and when it will be there if evidence keeps coming as it does.
    pub fn missing(&self, now: Timestamp) -> Option<Missing> {
        let Some((first, _)) = self.seen else { return Some(Missing::Everything) };
        let hours: usize = (0..24).filter(|hour| self.is_hour_seen(*hour)).count();
        let day = SignedDuration::from_hours(24);
        let after = |days: i32| first.saturating_add(day * days).unwrap_or(now);
        let age = now.duration_since(first);
        // What should be there by its age but is not, as nobody looked, comes at the pace of what there is.
        let due = |at: Timestamp, more: i32| if at > now { at } else { now.saturating_add(day * more).unwrap_or(now) };
        let [known, thin, _] = self.slots.census();
        if age < day && hours < 20 {
            return Some(Missing::Day { known_at: due(after(1), 1) });
        }
        if hours < DAY_HOURS {
            return Some(Missing::Hours { seen: hours as u32 });
        }
        if age < day * 7 {
            return Some(Missing::Week { known_at: after(7) });
        }
        let weeks = KNOWN_WEEKS as usize;
        let lacking = weeks.saturating_sub(self.slots.weeks_seen().saturating_sub(1)).max(1) as i32;
        (known * 2 < SLOTS).then_some(Missing::Weeks {
            known: known as u32,
            seen: (known + thin) as u32,
            known_at: ((known + thin) * 2 >= SLOTS).then(|| due(after(7 * KNOWN_WEEKS as i32), 7 * lacking)),
        })
    }

    fn is_hour_seen(&self, hour: u8) -> bool {
        (1..=7).filter_map(|weekday| Slot::new(weekday, hour)).any(|slot| self.slots.get(slot).weeks > 0)
    }

    /// Whether waiting is usually worth it, by the part of the day an outage begins in: "before 12:00 wait, 12:00 to 18:00
    /// switch". `None` where fewer than ten outages were seen or too few ended.
    pub fn wait_by_part(&self) -> [(DayPart, Option<Remaining>); 4] {
        DayPart::ALL.map(|part| {
            let remaining = self.outages.remaining(part, SignedDuration::ZERO);
            (part, remaining.filter(|remaining| remaining.part.is_some()))
        })
    }
}

impl Remaining {
    /// Whether waiting is usually worth it; `None` when too few outages were seen to end.
    pub fn is_worth_waiting(&self) -> Option<bool> {
        self.median.map(|median| median <= WORTH_WAITING)
    }
}

impl Sheet {
    /// Whether to wait for a target that has been away for `so_far` at the sheet's moment, or to go on with another of the
    /// chain.
    pub fn wait_or_switch(&self, target: &TargetId, chain: &[TargetId], so_far: SignedDuration) -> WaitOrSwitch {
        let others: Vec<TargetId> = chain.iter().filter(|other| *other != target).cloned().collect();
        let to = self.choice(&others, Slot::quarter_at(self.now, &self.zone)).map(|choice| choice.target);
        let Some(sheet) = self.get(target) else { return WaitOrSwitch::Unknown { outages: 0, to } };
        let remaining = sheet.remaining(self.now, &self.zone, so_far);
        match remaining.map(|remaining| (remaining, remaining.is_worth_waiting())) {
            Some((remaining, Some(true))) => WaitOrSwitch::Wait { remaining },
            // Not even half were seen to end, but many lasted: that is long.
            Some((remaining, is_worth)) if is_worth == Some(false) || remaining.outages >= 10 => {
                WaitOrSwitch::Switch { to, remaining, back: sheet.usual_return(self.now, &self.zone) }
            }
            _ => WaitOrSwitch::Unknown { outages: sheet.outages.ended() as u32, to },
        }
    }
}
