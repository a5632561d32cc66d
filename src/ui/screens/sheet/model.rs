//! What the cheat sheet shows, made from the statistics. Pure.

use jiff::Timestamp;
use jiff::civil::Date;

use super::away::Away;
use super::document::{self, Markup};
use super::plan::{self, Promise, Stretch};
use super::present::Present;
use super::words::{self, Speaker, percent, weekday};
use crate::args;
use crate::core::sheet::{Evidence, Missing, Slot, TargetSheet};
use crate::core::target::TargetId;
use crate::ui::format;
use crate::ui::screens::heatmap::model::{Ink, Source, plus_days};
use crate::ui::sheets::chain;

/// Quarter hours of a ribbon.
pub const QUARTERS: usize = 96;

/// A target with its hours of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// Its name.
    pub name: String,
    /// Its hours.
    pub hours: String,
    /// What they promise.
    pub promise: Promise,
    /// What is to be said of that.
    pub note: Option<String>,
}

/// The answer to "when should I run something long, and with what?" for a day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outlook {
    /// `Tomorrow, Mon 30 Nov`.
    pub title: String,
    /// The best stretch for long work; a note says what it is the best of, and what it stands on.
    pub longest: Option<Use>,
    /// Why there is none.
    pub none: String,
    /// What is left of the day by target.
    pub uses: Vec<Use>,
    /// Who is left out of it, where that makes another day of it than the week's plan has.
    pub without: Option<String>,
}

/// A target's day.
#[derive(Clone, Debug, PartialEq)]
pub struct Ribbon {
    /// Which.
    pub target: TargetId,
    /// Its name.
    pub name: String,
    /// By quarter hours of the local day.
    pub cells: Vec<Ink>,
    /// What to remember of it.
    pub note: String,
    /// All of it in words.
    pub summary: String,
}

/// A stretch of a day of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// When and whom.
    pub stretch: Stretch,
    /// Its name.
    pub name: String,
    /// Its place in the chain.
    pub place: usize,
    /// The stretch in words.
    pub words: String,
}

/// A day of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Day {
    /// Its name.
    pub name: String,
    /// It is today.
    pub is_today: bool,
    /// Its stretches, in order.
    pub parts: Vec<Part>,
    /// The day in words.
    pub summary: String,
}

/// The messages over the columns of best hours.
pub const BEST_HEADS: [&str; 5] =
    ["sheet-column-days", "sheet-column-hours", "sheet-column-free", "sheet-column-interval", "sheet-column-weeks"];

/// Best hours in columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Days, hours, share, interval, weeks in which it was seen; [`BEST_HEADS`] are over them.
    pub columns: [String; 5],
    /// What they stand on is little.
    pub is_thin: bool,
    /// All of it as a sentence.
    pub summary: String,
}

/// What the cheat sheet shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Nothing was answered yet.
    pub is_waiting: bool,
    /// Nothing was ever seen of any target.
    pub is_empty: bool,
    /// When, where, from how much.
    pub subtitle: String,
    /// What to use today and tomorrow.
    pub outlooks: Vec<Outlook>,
    /// What to use now.
    pub present: Option<Present>,
    /// What is not known yet of the first of the chain.
    pub missing: Option<String>,
    /// The day of the chain.
    pub ribbons: Vec<Ribbon>,
    /// The present's place in the ribbons, 0 to 1; `None` for tomorrow's.
    pub now: Option<f32>,
    /// The plan of the week, Monday first.
    pub week: Vec<Day>,
    /// Whose hours and habits follow.
    pub target: String,
    /// Its best hours.
    pub best: Vec<Best>,
    /// Its habits: a head and a sentence.
    pub habits: Vec<(String, String)>,
}

impl Model {
    /// The model of what is in view.
    pub fn new(source: &Source<'_>) -> Self {
        let Some(sheet) = source.sheet else { return Self { is_waiting: true, ..Self::default() } };
        let chain = chain(source.snapshot);
        let entries = &source.snapshot.board.entries;
        if !entries.iter().any(|entry| sheet.get(&entry.target.id).is_some_and(|own| own.seen.is_some())) {
            return Self { is_empty: true, ..Self::default() };
        }
        let name = |target: &TargetId| source.snapshot.board.name_of(target);
        let speaker = Speaker { now: source.now, zone: source.zone, tr: source.tr, name: &name };
        let today = source.zone.to_datetime(source.now).date();
        let tomorrow = plus_days(today, 1);
        let week = plan::week(sheet, &chain);
        let time = source.zone.to_datetime(source.now).time();
        let minute = u16::from(time.hour().unsigned_abs()) * 60 + u16::from(time.minute().unsigned_abs());
        let away = Away::of(&source.snapshot.board, source.now);
        let of_today = away.today(sheet, &chain, &speaker);
        let outlook = |date: Date, ahead: i64, from: u16| {
            let of_today = of_today.as_ref().filter(|_| ahead == 0);
            let day = &of_today.map_or(&week, |today| &today.week)[place_of(date)];
            let title = document::day_title(date, ahead, &speaker);
            let rest = plan::rest(day, from);
            let longest = plan::longest(day, from);
            let rest = if plan::is_said(&rest, longest.as_ref()) { Vec::new() } else { rest };
            let longest = longest.map(|stretch| Use {
                name: name(&stretch.target),
                hours: speaker.stretch(stretch.from, stretch.to),
                promise: stretch.promise,
                note: Some(speaker.longest_of(from, &stretch, &speaker.stands_on(&stretch))),
            });
            let uses = speaker.day_by_target(&rest).into_iter().map(|(target, promise, hours)| Use {
                name: name(&target),
                hours,
                promise,
                note: speaker.promise(promise),
            });
            let none = if longest.is_none() { speaker.longest_none(from) } else { String::new() };
            Outlook { title, longest, none, uses: uses.collect(), without: of_today.map(|today| today.words.clone()) }
        };
        let outlooks = match week.iter().all(Vec::is_empty) {
            true => Vec::new(),
            false => vec![outlook(today, 0, minute / 15 * 15), outlook(tomorrow, 1, 0)],
        };
        let plan_of_today = of_today.as_ref().map_or(&week, |today| &today.week);
        let left = plan::rest(&plan_of_today[place_of(today)], minute);
        let present = match away.first(sheet, &chain, &speaker) {
            Some((what, words)) => Some(Present::away(&what, words, &speaker)),
            None => Present::of_plan(&left, &chain, source, &speaker),
        };
        let first = chain.first().and_then(|first| sheet.get(first));
        let unseen = chain.first().filter(|_| first.is_none_or(|own| own.seen.is_none()));
        let unasked = unseen.and_then(|id| words::unasked(source.snapshot.board.entry(id)?, source.tr));
        let day = if source.state.is_tomorrow { tomorrow } else { today };
        let own = source.own();
        Self {
            subtitle: document::subtitle(sheet, &speaker),
            outlooks,
            present,
            missing: unasked.or_else(|| {
                let missing = first.map_or(Some(Missing::Everything), |own| own.missing(source.now));
                missing.map(|missing| speaker.missing(&missing))
            }),
            ribbons: chain.iter().map(|target| ribbon(source, sheet.get(target), target, day, &speaker)).collect(),
            now: (!source.state.is_tomorrow).then(|| f32::from(minute) / 1440.0),
            week: days(&week, &chain, today, &speaker),
            target: source.target().map(name).unwrap_or_default(),
            best: own.map_or_else(Vec::new, |own| best(own, &speaker)),
            habits: own.map_or_else(Vec::new, |own| habits(own, &speaker)),
            ..Self::default()
        }
    }
}

/// The sheet of the chain, then of the other targets, as a text to paste.
pub fn copied(source: &Source<'_>) -> Option<String> {
    let sheet = source.sheet?;
    let chain = chain(source.snapshot);
    let name = |target: &TargetId| source.snapshot.board.name_of(target);
    let speaker = Speaker { now: source.now, zone: source.zone, tr: source.tr, name: &name };
    let order: Vec<TargetId> = source.snapshot.board.entries.iter().map(|entry| entry.target.id.clone()).collect();
    let away = Away::of(&source.snapshot.board, source.now);
    Some(document::document(sheet, &chain, &order, &away, &speaker, Markup::Text))
}

fn place_of(date: Date) -> usize {
    usize::from(date.weekday().to_monday_zero_offset().unsigned_abs())
}

fn ribbon(
    source: &Source<'_>,
    own: Option<&TargetSheet>,
    target: &TargetId,
    day: Date,
    speaker: &Speaker<'_>,
) -> Ribbon {
    let tr = source.tr;
    let cell = |quarter: usize| {
        let slot = Slot::from_index(place_of(day) * 24 + quarter / 4);
        let Some(own) = own.filter(|own| own.seen.is_some()) else { return Ink::Empty };
        let share = own.slots.quarter(slot, quarter % 4) as f32;
        match own.slots.get(slot).evidence {
            Evidence::Empty => Ink::Empty,
            Evidence::Thin => Ink::Thin(share),
            Evidence::Known => Ink::Known(share),
        }
    };
    let midnight = |date: Date| source.zone.to_timestamp(date.at(0, 0, 0, 0)).unwrap_or(source.now);
    let (start, end): (Timestamp, Timestamp) = (midnight(day), midnight(plus_days(day, 1)));
    let name = (speaker.name)(target);
    let note =
        own.map_or_else(|| tr.text("sheet-note-unknown"), |own| speaker.day_note(own, start.max(source.now), end));
    Ribbon {
        target: target.clone(),
        cells: (0..QUARTERS).map(cell).collect(),
        summary: tr.with("sheet-ribbon", &args!("model" => name.as_str(), "note" => note.as_str())),
        name,
        note,
    }
}

fn days(week: &[Vec<Stretch>; 7], chain: &[TargetId], today: Date, speaker: &Speaker<'_>) -> Vec<Day> {
    let part = |stretch: &Stretch| {
        let name = (speaker.name)(&stretch.target);
        let place = chain.iter().position(|target| *target == stretch.target).unwrap_or(0);
        Part { words: speaker.longest(stretch), stretch: stretch.clone(), name, place }
    };
    let day = |(place, day): (usize, &Vec<Stretch>)| {
        let name = weekday(place as u8 + 1, speaker.tr);
        Day {
            summary: format::labelled(&name, &speaker.day(day), speaker.tr),
            name,
            is_today: place == place_of(today),
            parts: day.iter().map(part).collect(),
        }
    };
    week.iter().enumerate().map(day).collect()
}

/// The best hours of a target in columns.
pub fn best(own: &TargetSheet, speaker: &Speaker<'_>) -> Vec<Best> {
    let tr = speaker.tr;
    let line = |best: &crate::core::sheet::BestHours| {
        let args = args!(
            "percent" => percent(best.share),
            "low" => percent(best.low),
            "high" => percent(best.high),
            "weeks" => best.weeks,
            "samples" => format::count(u64::from(best.samples)),
        );
        Best {
            columns: [
                speaker.days(best.days),
                speaker.hours(best),
                tr.with("sheet-percent", &args),
                tr.with("sheet-best-interval", &args),
                best.weeks.to_string(),
            ],
            is_thin: best.evidence != Evidence::Known,
            summary: speaker.best(best),
        }
    };
    if own.seen.is_none() { Vec::new() } else { own.best.iter().map(line).collect() }
}

/// The habits of a target: a head and a sentence.
pub fn habits(own: &TargetSheet, speaker: &Speaker<'_>) -> Vec<(String, String)> {
    let tr = speaker.tr;
    let is_early = own.is_early(speaker.now);
    let typical = own.outages.typical();
    let outages = typical.map_or_else(
        || tr.with("sheet-outages-few", &args!("n" => own.outages.ended() as u32)),
        |typical| speaker.outages(&typical),
    );
    let busy = speaker.busy(own);
    let ahead = match (is_early, busy.is_empty()) {
        (true, _) => tr.text("sheet-ahead-early"),
        _ if own.is_always_busy() => tr.text("sheet-ahead-always"),
        (false, true) => tr.text("sheet-ahead-never"),
        (false, false) => {
            let times = format::clauses(busy.iter().take(3), tr);
            tr.with("sheet-ahead", &args!("times" => times))
        }
    };
    let changed = match (&own.change, own.missing(speaker.now)) {
        (Some(change), _) => speaker.change(change),
        (None, None) => tr.text("sheet-changed-nothing"),
        (None, Some(_)) => tr.text("sheet-changed-early"),
    };
    let speed = speaker.speed(own).unwrap_or_else(|| tr.text("sheet-speed-unknown"));
    let habits = [
        ("sheet-habit-outages", outages),
        ("sheet-habit-wait", speaker.wait_by_part(own)),
        ("sheet-habit-ahead", ahead),
        ("sheet-habit-speed", speed),
        ("sheet-habit-changed", changed),
    ];
    habits.into_iter().map(|(id, words)| (tr.text(id), words)).collect()
}
