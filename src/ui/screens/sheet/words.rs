//! What the statistics say, in words: the sentences of the cheat sheet, for the window and for `vacancy sheet`. Pure.

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::plan::Stretch;
use crate::args;
use crate::core::sheet::{
    Advice, BestHours, BusyOn, Change, DayPart, Days, Direction, Missing, Remaining, SLOTS, TargetSheet, WaitOrSwitch,
    Window,
};
use crate::core::target::TargetId;
use crate::i18n::Tr;
use crate::ui::format;

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

impl Speaker<'_> {
    fn moment(&self, at: Timestamp) -> String {
        format::moment(at, self.now, self.zone, self.tr)
    }

    fn span(&self, span: SignedDuration) -> String {
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

    /// How long outages last, with how many that stands on.
    pub fn outages(&self, remaining: &Remaining) -> String {
        let n = remaining.outages;
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
            Missing::Week { known_at } => self.tr.with("sheet-missing-week", &args!("at" => at(known_at))),
            Missing::Weeks { known, seen, known_at } => {
                let date = format::weekday_date(known_at, self.zone, self.tr);
                let args = args!("known" => known, "seen" => seen, "all" => SLOTS as u32, "at" => date);
                self.tr.with("sheet-missing-weeks", &args)
            }
        }
    }

    /// A few words beside a day's ribbon: what the rest of the day brings, or the whole of another day.
    pub fn day_note(&self, sheet: &TargetSheet, from: Timestamp, until: Timestamp) -> String {
        let tr = self.tr;
        if let Some(Missing::Everything | Missing::Day { .. }) = sheet.missing(self.now) {
            return tr.text("sheet-note-unknown");
        }
        let busy = sheet.busy_ahead(from, until.duration_since(from), self.zone);
        let clock = |at: Timestamp| format::clock(at, self.zone);
        let end = |busy: &BusyOn| if busy.end >= until { None } else { Some(clock(busy.end)) };
        match busy.first() {
            None => tr.text(if from > self.now { "sheet-note-free-day" } else { "sheet-note-free-rest" }),
            Some(first) if first.start <= from => match end(first) {
                Some(to) => tr.with("sheet-note-quiet-from", &args!("at" => to)),
                None => tr.text("sheet-note-busy-all"),
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

    /// Best hours with their share, interval, weeks and samples, in one line.
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
        self.tr.with("sheet-best-line", &args)
    }

    /// A day of the plan by target, in the order in which they come up: `sol 00:00–13:45, 18:30–24:00`.
    pub fn day_by_target(&self, day: &[Stretch]) -> Vec<(TargetId, bool, String)> {
        let mut out: Vec<(TargetId, bool, Vec<String>)> = Vec::new();
        for stretch in day {
            let hours = self.stretch(stretch.from, stretch.to);
            match out.iter_mut().find(|(target, is_good, _)| (target, *is_good) == (&stretch.target, stretch.is_good)) {
                Some((_, _, all)) => all.push(hours),
                None => out.push((stretch.target.clone(), stretch.is_good, vec![hours])),
            }
        }
        let join = self.tr.text("sheet-list-comma");
        out.into_iter().map(|(target, is_good, hours)| (target, is_good, hours.join(&join))).collect()
    }

    /// A day of the plan as one line: what to use when.
    pub fn day(&self, day: &[Stretch]) -> String {
        let words = |(target, is_good, hours): (TargetId, bool, String)| {
            let id = if is_good { "sheet-day-use" } else { "sheet-day-likeliest" };
            self.tr.with(id, &args!("model" => (self.name)(&target), "hours" => hours))
        };
        self.day_by_target(day).into_iter().map(words).collect::<Vec<_>>().join(" · ")
    }

    /// When a target is usually busy, by days that are alike: `on weekdays 14:15–18:30`. Empty when it never is.
    pub fn busy(&self, sheet: &TargetSheet) -> Vec<String> {
        let mut left: Vec<_> = sheet.busy.to_vec();
        let mut lines = Vec::new();
        while let Some(first) = left.first().copied() {
            let near = |a: u16, b: u16| a.abs_diff(b) <= 45;
            let is_alike =
                |other: &crate::core::sheet::BusyTime| near(first.start, other.start) && near(first.end, other.end);
            let (alike, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(is_alike);
            left = rest;
            let mut days: Vec<u8> = alike.iter().map(|busy| busy.weekday).collect();
            days.dedup();
            let middle = |of: fn(&crate::core::sheet::BusyTime) -> u16| {
                let mut all: Vec<u16> = alike.iter().map(of).collect();
                all.sort_unstable();
                all[all.len() / 2]
            };
            let names = match &*days {
                [1, 2, 3, 4, 5, 6, 7] => self.tr.text("sheet-on-every"),
                [1, 2, 3, 4, 5] => self.tr.text("sheet-on-weekdays"),
                [6, 7] => self.tr.text("sheet-on-weekend"),
                days => {
                    let join = self.tr.text("sheet-list-comma");
                    days.iter().map(|day| weekday(*day, self.tr)).collect::<Vec<_>>().join(&join)
                }
            };
            lines.push(format!("{names} {}", self.stretch(middle(|busy| busy.start), middle(|busy| busy.end))));
        }
        lines
    }

    /// Whether to wait or to switch when a target is away, by part of the day where that is known.
    pub fn wait_by_part(&self, sheet: &TargetSheet) -> String {
        let tr = self.tr;
        let parts = sheet.wait_by_part();
        let named = |is_worth: bool| {
            let of = |(part, remaining): &(DayPart, Option<Remaining>)| {
                let known = remaining.as_ref()?.is_worth_waiting().unwrap_or(false);
                (known == is_worth).then(|| tr.text(part_id(*part)))
            };
            let join = tr.text("sheet-list-comma");
            parts.iter().filter_map(of).collect::<Vec<_>>().join(&join)
        };
        let (wait, switch) = (named(true), named(false));
        match (wait.is_empty(), switch.is_empty()) {
            (false, false) => tr.with("sheet-wait-and-switch", &args!("wait" => wait, "switch" => switch)),
            (false, true) => tr.with("sheet-wait-parts", &args!("parts" => wait)),
            (true, false) => tr.with("sheet-switch-parts", &args!("parts" => switch)),
            (true, true) => {
                match sheet.outages.typical().and_then(|typical| Some((typical, typical.is_worth_waiting()?))) {
                    Some((typical, true)) => tr.with("sheet-wait-always", &args!("n" => typical.outages)),
                    Some((typical, false)) => tr.with("sheet-switch-always", &args!("n" => typical.outages)),
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
                    "n" => remaining.outages,
                );
                tr.with("sheet-away-wait", &args)
            }
            WaitOrSwitch::Switch { to, remaining, back } => {
                let mut words = match more(remaining) {
                    Some(more) => {
                        let args =
                            args!("model" => model, "so-far" => so_far, "more" => more, "n" => remaining.outages);
                        tr.with("sheet-away-long", &args)
                    }
                    None => tr.with(
                        "sheet-away-longer",
                        &args!("model" => model, "so-far" => so_far, "n" => remaining.outages),
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
