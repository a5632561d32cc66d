//! What the statistics say, in words: the sentences of the cheat sheet, for the window and for `vacancy sheet`. Pure.

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::plan::{self, Promise, Stretch};
use crate::args;
use crate::core::board::{Entry, Hold};
use crate::core::sheet::{
    Advice, BestHours, BusyOn, BusyTime, Change, DayPart, Days, Direction, Evidence, Missing, Remaining, SLOTS,
    TargetSheet, WaitOrSwitch, Window,
};
use crate::core::target::TargetId;
use crate::i18n::Tr;
use crate::listen::Tool;
use crate::ui::format;

/// Answers of an hour below which it is not named as the slowest.
const SPEED_ANSWERS: u64 = 20;
/// An hour is named as the slowest when its median is so many times the usual one.
const SLOWER: f64 = 1.25;

/// For whom and when words are made.
#[derive(Clone, Copy)]
pub struct Speaker<'a> {
    /// When.
    pub now: Timestamp,
    /// In whose hours.
    pub zone: &'a TimeZone,
    /// The words.
    pub tr: &'a Tr,
    /// What a target is called.
    pub name: &'a dyn Fn(&TargetId) -> String,
}

/// A share as whole percent: `0` to `100`.
pub fn percent(share: f64) -> u32 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u32
}

/// A moment of the local day in minutes, `14:15`; the end of the day is `24:00`.
pub fn minutes(at: u16) -> String {
    let at = if at > 1440 { at % 1440 } else { at };
    format!("{:02}:{:02}", at / 60, at % 60)
}

/// The name of a weekday, 1 = Monday to 7, as it stands alone.
pub fn weekday(day: u8, tr: &Tr) -> String {
    Weekday::from_monday_one_offset(i8::try_from(day).unwrap_or(1))
        .map_or_else(|_| String::new(), |day| format::weekday(day, tr))
}

/// Why no pattern of a target comes by itself, and what brings one; `None` where the schedule asks it.
pub fn unasked(entry: &Entry, tr: &Tr) -> Option<String> {
    let provider = entry.target.provider.as_str();
    match entry.hold? {
        Hold::NeverProbed if Tool::ALL.iter().any(|tool| tool.name() == provider) => {
            Some(tr.with("sheet-unasked-tool", &args!("tool" => provider)))
        }
        Hold::NeverProbed => Some(tr.text("sheet-unasked-never")),
        Hold::OnDemand => Some(tr.text("sheet-unasked-on-demand")),
        _ => None,
    }
}

impl Speaker<'_> {
    fn moment(&self, at: Timestamp) -> String {
        format::moment(at, self.now, self.zone, self.tr)
    }

    /// A length in words, to the minute.
    pub fn span(&self, span: SignedDuration) -> String {
        // Lengths come from quarter hours: a half minute is no news.
        format::span((span.as_secs() + 30) / 60, self.tr)
    }

    fn date(&self, date: Date) -> String {
        let noon = self.zone.to_timestamp(date.at(12, 0, 0, 0));
        noon.map_or_else(|_| date.to_string(), |noon| format::weekday_date(noon, self.zone, self.tr))
    }

    /// A piece of advice as a sentence without a full stop.
    pub fn advice(&self, advice: &Advice) -> String {
        let tr = self.tr;
        match advice {
            Advice::FreeAllWeek { worst } => tr.with("sheet-free-all-week", &args!("percent" => percent(*worst))),
            Advice::BusyAllWeek { best } => tr.with("sheet-busy-all-week", &args!("percent" => percent(*best))),
            Advice::FreeToday => tr.text("sheet-free-today"),
            Advice::BusyToday { busy, switch_at } => {
                let (from, to) = (self.moment(busy.start), self.moment(busy.end));
                if *switch_at <= self.now {
                    tr.with("sheet-busy-soon", &args!("from" => from, "to" => to))
                } else {
                    tr.with("sheet-busy-today", &args!("from" => from, "to" => to, "at" => self.moment(*switch_at)))
                }
            }
            Advice::BusyNow(busy) => tr.with("sheet-busy-now", &args!("to" => self.moment(busy.end))),
            Advice::Quiet(window) => self.quiet(window),
            Advice::OutagesLast(remaining) => self.outages(remaining),
            Advice::Changed(change) => self.change(change),
            Advice::Missing(missing) => self.missing(missing),
        }
    }

    fn quiet(&self, window: &Window) -> String {
        let (from, to) = (self.moment(window.start), self.moment(window.end));
        self.tr.with("sheet-quiet", &args!("from" => from, "to" => to, "percent" => percent(window.share)))
    }

    /// Until when what is usually free now stays so.
    pub fn free_until(&self, window: &Window) -> String {
        if window.is_all_week() {
            return self.tr.with("sheet-now-always", &args!("percent" => percent(window.share)));
        }
        self.tr.with("sheet-now-until", &args!("at" => self.moment(window.end), "percent" => percent(window.share)))
    }

    /// How long outages last, with how many that stands on.
    pub fn outages(&self, remaining: &Remaining) -> String {
        let n = format::count(u64::from(remaining.outages));
        match (remaining.median, remaining.most) {
            (Some(median), Some(most)) => {
                let args = args!("median" => self.span(median), "most" => self.span(most), "n" => n);
                self.tr.with("sheet-outages", &args)
            }
            (Some(median), None) => {
                self.tr.with("sheet-outages-median", &args!("median" => self.span(median), "n" => n))
            }
            (None, _) => self.tr.with("sheet-outages-long", &args!("n" => n)),
        }
    }

    /// What is unlike the weeks before.
    pub fn change(&self, change: &Change) -> String {
        let id = match change.direction {
            Direction::Busier => "sheet-busier",
            Direction::Quieter => "sheet-quieter",
        };
        let args = args!(
            "since" => self.date(change.since),
            "recent" => percent(change.recent),
            "expected" => percent(change.expected),
            "days" => change.days,
        );
        self.tr.with(id, &args)
    }

    /// What is not known yet, and when it will be.
    pub fn missing(&self, missing: &Missing) -> String {
        let at = |at: Timestamp| self.moment(at);
        match *missing {
            Missing::Everything => self.tr.text("sheet-missing-everything"),
            Missing::Day { known_at } => self.tr.with("sheet-missing-day", &args!("at" => at(known_at))),
            Missing::Hours { seen } => self.tr.with("sheet-missing-day-hours", &args!("hours" => seen)),
            Missing::Week { known_at } => self.tr.with("sheet-missing-week", &args!("at" => at(known_at))),
            Missing::Weeks { known, seen, known_at } => {
                let date = known_at.map(|at| format::weekday_date(at, self.zone, self.tr));
                let id = if date.is_some() { "sheet-missing-weeks" } else { "sheet-missing-hours" };
                let args =
                    args!("known" => known, "seen" => seen, "all" => SLOTS as u32, "at" => date.unwrap_or_default());
                self.tr.with(id, &args)
            }
        }
    }

    /// A few words beside a day's ribbon: what the rest of the day brings, or the whole of another day.
    pub fn day_note(&self, sheet: &TargetSheet, from: Timestamp, until: Timestamp) -> String {
        let tr = self.tr;
        if sheet.is_early(self.now) {
            return tr.text("sheet-note-unknown");
        }
        if !sheet.is_watched(from, self.zone) {
            return tr.text("sheet-note-unwatched");
        }
        let busy = sheet.busy_ahead(from, until.duration_since(from), self.zone);
        let clock = |at: Timestamp| format::clock(at, self.zone);
        let end = |busy: &BusyOn| if busy.end >= until { None } else { Some(clock(busy.end)) };
        match busy.first() {
            None => match sheet.open_window(from, self.zone) {
                Some(window) if window.end < until => {
                    tr.with("sheet-note-free-until", &args!("at" => clock(window.end)))
                }
                Some(window) if !window.is_usual() => tr.text("sheet-note-free-so-far"),
                Some(_) if sheet.levels.is_usual() => tr.text("sheet-note-free"),
                Some(_) => tr.text("sheet-note-likeliest"),
                None => tr.text("sheet-note-unknown"),
            },
            Some(first) if first.start <= from => match end(first) {
                Some(to) => tr.with("sheet-note-quiet-from", &args!("at" => to)),
                None => tr.text(if from > self.now { "sheet-note-busy-day" } else { "sheet-note-busy-all" }),
            },
            Some(first) => match end(first) {
                Some(to) => tr.with("sheet-note-busy", &args!("from" => clock(first.start), "to" => to)),
                None => tr.with("sheet-note-busy-from", &args!("from" => clock(first.start))),
            },
        }
    }

    /// The days of best hours.
    pub fn days(&self, days: Days) -> String {
        match days {
            Days::Every => self.tr.text("sheet-days-every"),
            Days::Weekdays => self.tr.text("sheet-days-weekdays"),
            Days::Weekend => self.tr.text("sheet-days-weekend"),
            Days::One(day) => weekday(day, self.tr),
        }
    }

    /// The hours of best hours, `06:00–09:00`.
    pub fn hours(&self, best: &BestHours) -> String {
        self.stretch(u16::from(best.from) * 60, u16::from(best.to) * 60)
    }

    /// A stretch of a day in minutes, `13:45–18:30`, or that it is the whole.
    pub fn stretch(&self, from: u16, to: u16) -> String {
        if from == 0 && to == 1440 {
            return self.tr.text("sheet-all-day");
        }
        format!("{}–{}", minutes(from), minutes(to))
    }

    /// Best hours with their share, interval, weeks and samples, in one line; what is thin is said to be.
    pub fn best(&self, best: &BestHours) -> String {
        let args = args!(
            "days" => self.days(best.days),
            "hours" => self.hours(best),
            "percent" => percent(best.share),
            "low" => percent(best.low),
            "high" => percent(best.high),
            "weeks" => best.weeks,
            "samples" => format::count(u64::from(best.samples)),
        );
        let line = self.tr.with("sheet-best-line", &args);
        match best.evidence {
            Evidence::Known => line,
            Evidence::Thin => self.noted(&line, "sheet-note-few"),
            Evidence::Empty => self.noted(&line, "sheet-note-holes"),
        }
    }

    /// Words with a note behind them in brackets.
    fn noted(&self, words: &str, note: &str) -> String {
        self.tr.with("sheet-noted", &args!("words" => words, "note" => self.tr.text(note)))
    }

    /// What is to be said of a promise; nothing of the usual.
    pub fn promise(&self, promise: Promise) -> Option<String> {
        promise.name().map(|name| self.tr.text(&format!("sheet-promise-{name}")))
    }

    /// A day of the plan by target and promise, in the order in which they come up: `sol 00:00–13:45, 18:30–24:00`.
    pub fn day_by_target(&self, day: &[Stretch]) -> Vec<(TargetId, Promise, String)> {
        let mut out: Vec<(TargetId, Promise, Vec<String>)> = Vec::new();
        for stretch in day {
            let hours = self.stretch(stretch.from, stretch.to);
            match out.iter_mut().find(|(target, promise, _)| (target, *promise) == (&stretch.target, stretch.promise)) {
                Some((_, _, all)) => all.push(hours),
                None => out.push((stretch.target.clone(), stretch.promise, vec![hours])),
            }
        }
        let join = self.tr.text("sheet-list-comma");
        // Guesses are worth least.
        out.sort_by_key(|(_, promise, _)| *promise == Promise::Guess);
        out.into_iter().map(|(target, promise, hours)| (target, promise, hours.join(&join))).collect()
    }

    /// A day of the plan as one line: what to use when, and how sure that is.
    pub fn day(&self, day: &[Stretch]) -> String {
        let words = |(target, promise, hours): (TargetId, Promise, String)| {
            let words = self.tr.with("sheet-day-use", &args!("model" => (self.name)(&target), "hours" => hours));
            match self.promise(promise) {
                Some(note) => self.tr.with("sheet-noted", &args!("words" => words, "note" => note)),
                None => words,
            }
        };
        self.day_by_target(day).into_iter().map(words).collect::<Vec<_>>().join(" · ")
    }

    /// What the best stretch for long work from a minute of a day on is the best of, before words about it.
    pub fn longest_of(&self, from: u16, stretch: &Stretch, words: &str) -> String {
        let id = match plan::is_after_work(from) {
            true => "sheet-longest-head-late",
            false if plan::goes_on_after_work(stretch) => "sheet-longest-head-on",
            false => "sheet-longest-head",
        };
        self.tr.with(id, &args!("words" => words))
    }

    /// Why no stretch of a day is named for long work: nothing is free, or there is no time left for it.
    pub fn longest_none(&self, from: u16) -> String {
        self.tr.text(if plan::is_over(from) { "sheet-longest-over" } else { "sheet-longest-none" })
    }

    /// The best stretch of a day for long work as a sentence.
    pub fn longest(&self, stretch: &Stretch) -> String {
        let args = args!(
            "model" => (self.name)(&stretch.target),
            "hours" => self.stretch(stretch.from, stretch.to),
            "words" => self.stands_on(stretch),
        );
        self.tr.with("sheet-longest", &args)
    }

    /// What the best stretch for long work stands on: its share with weeks and samples, and how sure that is.
    pub fn stands_on(&self, stretch: &Stretch) -> String {
        let args = args!(
            "percent" => percent(stretch.share),
            "weeks" => stretch.weeks,
            "samples" => format::count(u64::from(stretch.samples)),
        );
        let id = match stretch.promise {
            Promise::Usual => "sheet-longest-usual",
            Promise::Few => "sheet-longest-few",
            Promise::Guess => "sheet-longest-guess",
            Promise::Likeliest => "sheet-longest-likeliest",
        };
        self.tr.with(id, &args)
    }

    /// When a target is usually busy, by days that are alike: `on weekdays 14:15–18:30`. Empty when it never is.
    pub fn busy(&self, sheet: &TargetSheet) -> Vec<String> {
        let mut left: Vec<BusyTime> = sheet.busy.to_vec();
        let mut lines: Vec<(String, Vec<String>, Evidence)> = Vec::new();
        while let Some(first) = left.first().copied() {
            let BusyTime { start, end, .. } = first;
            // Only what is the same on each of the days: what is said of one of them elsewhere has these ends too.
            let is_alike = |other: &BusyTime| (other.start, other.end) == (start, end);
            let (alike, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(is_alike);
            left = rest;
            let names = self.day_names(alike.iter().map(|busy| busy.weekday).collect());
            let hours = if end - start > 1440 {
                let day = weekday((u16::from(first.weekday) - 1 + end / 1440).rem_euclid(7) as u8 + 1, self.tr);
                let args = args!("from" => minutes(start), "day" => day, "to" => minutes(end % 1440));
                self.tr.with("sheet-until-day", &args)
            } else {
                self.stretch(start, end)
            };
            let evidence = alike.iter().map(|busy| busy.evidence).min().unwrap_or(Evidence::Empty);
            match lines.iter_mut().find(|(other, _, _)| *other == names) {
                Some((_, all, least)) => {
                    all.push(hours);
                    *least = evidence.min(*least);
                }
                None => lines.push((names, vec![hours], evidence)),
            }
        }
        let join = self.tr.text("sheet-list-comma");
        let line = |(names, hours, evidence): (String, Vec<String>, Evidence)| {
            let line = format!("{names} {}", hours.join(&join));
            if evidence == Evidence::Known { line } else { self.noted(&line, "sheet-note-few") }
        };
        lines.into_iter().map(line).collect()
    }

    /// Weekdays as they are spoken of: all, the working days, the weekend, runs of three and more, or one by one.
    fn day_names(&self, mut days: Vec<u8>) -> String {
        days.sort_unstable();
        days.dedup();
        match &*days {
            [1, 2, 3, 4, 5, 6, 7] => return self.tr.text("sheet-on-every"),
            [1, 2, 3, 4, 5] => return self.tr.text("sheet-on-weekdays"),
            [6, 7] => return self.tr.text("sheet-on-weekend"),
            _ => {}
        }
        let runs = days.chunk_by(|day, next| day + 1 == *next);
        let words = |run: &[u8]| match run {
            [first, _, .., last] => vec![format!("{}–{}", weekday(*first, self.tr), weekday(*last, self.tr))],
            run => run.iter().map(|day| weekday(*day, self.tr)).collect(),
        };
        runs.flat_map(words).collect::<Vec<_>>().join(&self.tr.text("sheet-list-comma"))
    }

    /// The usual time to the first token, and when it is longest, where that differs; `None` without answers.
    pub fn speed(&self, sheet: &TargetSheet) -> Option<String> {
        let latency = sheet.latency.as_ref()?;
        let all = latency.overall()?;
        let ms = |ms: f64| format::latency(ms.round() as u32, self.tr);
        let args = args!("median" => ms(all.median_ms), "most" => ms(all.p90_ms), "n" => format::count(all.answers),
            "number" => all.answers);
        let words = self.tr.with("sheet-speed", &args);
        let of_hours = (0..24).filter_map(|hour| Some((hour, latency.hour(hour)?)));
        let often = of_hours.filter(|(_, cell)| cell.answers >= SPEED_ANSWERS);
        let slowest = often.max_by(|(_, one), (_, other)| one.median_ms.total_cmp(&other.median_ms));
        match slowest.filter(|(_, cell)| cell.median_ms >= all.median_ms * SLOWER) {
            Some((hour, cell)) => {
                let hours = self.stretch(u16::from(hour) * 60, u16::from(hour) * 60 + 60);
                let args = args!("words" => words, "hours" => hours, "median" => ms(cell.median_ms));
                Some(self.tr.with("sheet-speed-slowest", &args))
            }
            None => Some(words),
        }
    }

    /// Whether to wait or to switch when a target is away, by part of the day where that is known.
    pub fn wait_by_part(&self, sheet: &TargetSheet) -> String {
        let tr = self.tr;
        let known = sheet.wait_by_part().into_iter();
        let known: Vec<(DayPart, Remaining, bool)> = known
            .filter_map(|(part, remaining)| {
                let remaining = remaining?;
                Some((part, remaining, remaining.is_worth_waiting()?))
            })
            .collect();
        let n = format::count(known.iter().map(|(_, remaining, _)| u64::from(remaining.outages)).sum());
        let is_same = known.windows(2).all(|pair| pair[0].2 == pair[1].2);
        let always = |is_worth: bool, n: &str| {
            tr.with(if is_worth { "sheet-wait-always" } else { "sheet-switch-always" }, &args!("n" => n))
        };
        if let [(_, _, is_worth), ..] = known[..]
            && is_same
            && known.len() == DayPart::ALL.len()
        {
            return always(is_worth, &n);
        }
        let named = |is_worth: bool| {
            let of =
                |(part, _, worth): &(DayPart, Remaining, bool)| (*worth == is_worth).then(|| tr.text(part_id(*part)));
            known.iter().filter_map(of).collect::<Vec<_>>().join(&tr.text("sheet-list-comma"))
        };
        let (wait, switch) = (named(true), named(false));
        match (wait.is_empty(), switch.is_empty()) {
            (false, false) => tr.with("sheet-wait-and-switch", &args!("wait" => wait, "switch" => switch, "n" => n)),
            (false, true) => tr.with("sheet-wait-parts", &args!("parts" => wait, "n" => n)),
            (true, false) => tr.with("sheet-switch-parts", &args!("parts" => switch, "n" => n)),
            (true, true) => {
                match sheet.outages.typical().and_then(|typical| Some((typical, typical.is_worth_waiting()?))) {
                    Some((typical, is_worth)) => always(is_worth, &format::count(u64::from(typical.outages))),
                    None => tr.with("sheet-wait-unknown", &args!("n" => sheet.outages.ended() as u32)),
                }
            }
        }
    }

    /// What to do about a target that has been away for `so_far`.
    pub fn wait_or_switch(&self, target: &TargetId, so_far: SignedDuration, what: &WaitOrSwitch) -> String {
        let (tr, model, so_far) = (self.tr, (self.name)(target), self.span(so_far));
        let more = |remaining: &Remaining| remaining.median.map(|median| self.span(median));
        match what {
            WaitOrSwitch::Wait { remaining } => {
                let args = args!(
                    "model" => model,
                    "so-far" => so_far,
                    "more" => more(remaining).unwrap_or_default(),
                    "n" => format::count(u64::from(remaining.outages)),
                );
                tr.with("sheet-away-wait", &args)
            }
            WaitOrSwitch::Switch { to, remaining, back } => {
                let mut words = match more(remaining) {
                    Some(more) => {
                        let args =
                            args!("model" => model, "so-far" => so_far, "more" => more, "n" => format::count(u64::from(remaining.outages)));
                        tr.with("sheet-away-long", &args)
                    }
                    None => tr.with(
                        "sheet-away-longer",
                        &args!("model" => model, "so-far" => so_far, "n" => format::count(u64::from(remaining.outages))),
                    ),
                };
                if let Some(back) = back {
                    words.push_str(&tr.with("sheet-away-back", &args!("at" => self.moment(*back))));
                }
                if let Some(to) = to {
                    words.push_str(&tr.with("sheet-away-to", &args!("model" => (self.name)(to))));
                }
                words
            }
            WaitOrSwitch::Unknown { outages, to } => {
                let mut words =
                    tr.with("sheet-away-unknown", &args!("model" => model, "so-far" => so_far, "n" => *outages));
                if let Some(to) = to {
                    words.push_str(&tr.with("sheet-away-to", &args!("model" => (self.name)(to))));
                }
                words
            }
        }
    }
}

const fn part_id(part: DayPart) -> &'static str {
    match part {
        DayPart::Night => "sheet-part-night",
        DayPart::Morning => "sheet-part-morning",
        DayPart::Afternoon => "sheet-part-afternoon",
        DayPart::Evening => "sheet-part-evening",
    }
}
