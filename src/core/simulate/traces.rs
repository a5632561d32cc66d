//! Traces that come with the program: shapes of trouble, made from a seed.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::world::{Truth, World, WorldDefaults};
use crate::core::outcome::Kind;
use crate::core::target::{ProviderId, Role, TargetId};

/// The traces that come with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// All free, with one short fault a week.
    Quiet,
    /// The primary is full in the afternoons of working days, in outages of 10 to 60 minutes.
    BusyAfternoons,
    /// The primary goes back and forth every 20 seconds to 6 minutes.
    Flapping,
    /// The primary has faults for 9 hours, twice a week.
    LongOutage,
    /// All models are free, but our own network fails and the machine sleeps at night.
    OwnOutage,
}

impl BuiltIn {
    /// Every trace.
    pub const ALL: [Self; 5] = [Self::Quiet, Self::BusyAfternoons, Self::Flapping, Self::LongOutage, Self::OwnOutage];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::BusyAfternoons => "busy-afternoons",
            Self::Flapping => "flapping",
            Self::LongOutage => "long-outage",
            Self::OwnOutage => "own-outage",
        }
    }
}

const fn mins(mins: u64) -> Duration {
    Duration::from_secs(mins * 60)
}

/// Makes a trace of three targets (a primary, a backup elsewhere, an emergency one at the primary's provider) for so many
/// days from the midnight of `zone` at or before `start`.
pub fn built_in(
    trace: BuiltIn,
    start: Timestamp,
    days: u32,
    zone: &TimeZone,
    defaults: &WorldDefaults,
    rng: &mut fastrand::Rng,
) -> World {
    let target = |id: &str, provider: &str, role| {
        Arc::new(defaults.target(TargetId::from(id), Some(ProviderId::from(provider)), role))
    };
    let targets = vec![
        target("primary", "provider-a", Role::Primary),
        target("backup", "provider-b", Role::Backup),
        target("emergency", "provider-a", Role::Emergency),
    ];
    let midnight = start.to_zoned_datetime(zone.clone()).start_of_day();
    let start = midnight.map_or(start, |midnight| midnight.timestamp());
    let time = start..start + SignedDuration::from_hours(24 * i64::from(days));
    let mut world = World::calm(targets, time.clone());
    for day in 0..days {
        let from = start + SignedDuration::from_hours(24 * i64::from(day));
        let weekday = from.to_zoned_datetime(zone.clone()).weekday();
        add_day(&mut world, trace, from, weekday, day, rng);
    }
    world
}

fn add_day(world: &mut World, trace: BuiltIn, day: Timestamp, weekday: Weekday, number: u32, rng: &mut fastrand::Rng) {
    let at = |minutes: u64| day + mins(minutes);
    let (primary, backup) = (world.targets[0].id.clone(), world.targets[1].id.clone());
    let is_workday = !matches!(weekday, Weekday::Saturday | Weekday::Sunday);
    match trace {
        BuiltIn::Quiet if number % 7 == 3 => {
            let from = at(rng.u64(0..1400));
            outage(world, &primary, from..from + mins(8), Truth::of(Kind::ServerError));
        }
        BuiltIn::Quiet => {}
        BuiltIn::BusyAfternoons if is_workday => {
            for (target, busy) in [(&primary, 840..1110), (&backup, 900..1000)] {
                let mut from = busy.start + rng.u64(0..30);
                while from < busy.end {
                    let to = from + rng.u64(10..60);
                    outage(world, target, at(from)..at(to), Truth::FULL);
                    from = to + rng.u64(5..40);
                }
            }
        }
        BuiltIn::BusyAfternoons => {}
        BuiltIn::Flapping => {
            let mut from = at(540);
            while from < at(1080) {
                let length = |rng: &mut fastrand::Rng| Duration::from_secs(rng.u64(20..360));
                let to = from + length(rng);
                outage(world, &primary, from..to, Truth::FULL);
                from = to + length(rng);
            }
        }
        BuiltIn::LongOutage if number % 7 == 1 || number % 7 == 4 => {
            let from = at(rng.u64(300..600));
            outage(world, &primary, from..from + mins(540), Truth::of(Kind::ServerError));
        }
        BuiltIn::LongOutage => {}
        BuiltIn::OwnOutage => {
            let from = at(rng.u64(600..900));
            world.asleep.push(at(0)..at(420));
            world.offline.push(from..from + mins(rng.u64(3..90)));
        }
    }
}

fn outage(world: &mut World, target: &TargetId, time: Range<Timestamp>, truth: Truth) {
    world.set(target, time.start, truth);
    world.set(target, time.end, Truth::FREE);
}
