//! The cheat sheet as one text: what is copied, and what `vacancy sheet --format text|markdown` prints. Pure.

use jiff::ToSpan;
use jiff::civil::Date;

use super::away::Away;
use super::plan;
use super::words::{Speaker, weekday};
use crate::args;
use crate::core::sheet::{Sheet, TargetSheet};
use crate::core::target::TargetId;
use crate::ui::format;

/// How headings and lists are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// None: indented lines.
    Text,
    /// CommonMark.
    Markdown,
}

/// The whole sheet: tomorrow, the week, then each target of `order` (those without a sheet are said to be unwatched). The plan is
/// made of `chain`; that of today is without what is `away`.
pub fn document(
    sheet: &Sheet,
    chain: &[TargetId],
    order: &[TargetId],
    away: &Away,
    speaker: &Speaker<'_>,
    markup: Markup,
) -> String {
    let tr = speaker.tr;
    let mut out = Out { text: String::new(), markup };
    out.heading(1, &tr.text("sheet-title"));
    out.line(&subtitle(sheet, speaker));
    let week = plan::week(sheet, chain);
    if week.iter().any(|day| !day.is_empty()) {
        let now = speaker.zone.to_datetime(speaker.now);
        let minute = (now.hour().unsigned_abs(), now.minute().unsigned_abs());
        let minute = u16::from(minute.0) * 60 + u16::from(minute.1) / 15 * 15;
        let of_today = away.today(sheet, chain, speaker);
        let place = |date: Date| usize::from(date.weekday().to_monday_zero_offset().unsigned_abs());
        for (ahead, from) in [(0_i64, minute), (1, 0)] {
            let Ok(date) = now.date().checked_add(ahead.days()) else { continue };
            out.heading(2, &day_title(date, ahead, speaker));
            if let Some((_, words)) = away.first(sheet, chain, speaker).filter(|_| ahead == 0) {
                out.item(&words);
            }
            let of_today = of_today.as_ref().filter(|_| ahead == 0);
            let day = &of_today.map_or(&week, |today| &today.week)[place(date)];
            let longest = plan::longest(day, from);
            out.item(&match &longest {
                Some(stretch) => speaker.longest_of(from, stretch, &speaker.longest(stretch)),
                None => speaker.longest_none(from),
            });
            let rest = plan::rest(day, from);
            if !rest.is_empty() && !plan::is_said(&rest, longest.as_ref()) {
                out.item(&speaker.day(&rest));
            }
            if let Some(today) = of_today {
                out.item(&today.words);
            }
        }
        out.heading(2, &tr.text("sheet-week-title"));
        for ahead in 0..7_i64 {
            let Ok(date) = now.date().checked_add(ahead.days()) else { continue };
            let name = weekday(date.weekday().to_monday_one_offset().unsigned_abs(), tr);
            out.item(&format!("{name}  {}", speaker.day(&week[place(date)])));
        }
    }
    for target in order {
        out.heading(2, &(speaker.name)(target));
        match sheet.get(target) {
            Some(own) => of_target(&mut out, own, speaker),
            None => out.item(&tr.text("sheet-missing-everything")),
        }
    }
    out.text
}

/// When it was made, in which zone, and what it stands on.
pub fn subtitle(sheet: &Sheet, speaker: &Speaker<'_>) -> String {
    let first = sheet.targets.iter().filter_map(|target| target.seen).map(|(first, _)| first).min();
    let samples: u64 = sheet.targets.iter().map(|target| u64::from(target.slots.total().samples)).sum();
    let date = format::weekday_date(speaker.now, speaker.zone, speaker.tr);
    let since = first.map(|first| {
        let date = |at| speaker.zone.to_datetime(at).date();
        format::date_of_years(date(first), date(speaker.now), speaker.tr)
    });
    let args = args!(
        "at" => format!("{date} {}", format::clock(speaker.now, speaker.zone)),
        "zone" => speaker.zone.iana_name().unwrap_or("UTC"),
        "since" => since.clone().unwrap_or_default(),
        "samples" => format::count(samples),
    );
    // Weeks are counted by the hour, where there are some: a record of 40 days lies in six or in seven.
    match (samples, since) {
        (0, _) | (_, None) => speaker.tr.with("sheet-subtitle-empty", &args),
        _ => speaker.tr.with("sheet-subtitle", &args),
    }
}

/// `Tomorrow, Mon 30 Nov`; another day by its date alone.
pub fn day_title(date: Date, ahead: i64, speaker: &Speaker<'_>) -> String {
    let noon = speaker.zone.to_timestamp(date.at(12, 0, 0, 0));
    let day = noon.map_or_else(|_| date.to_string(), |noon| format::weekday_date(noon, speaker.zone, speaker.tr));
    match ahead {
        0 => speaker.tr.with("sheet-today-is", &args!("day" => day)),
        1 => speaker.tr.with("sheet-tomorrow-is", &args!("day" => day)),
        _ => day,
    }
}

fn of_target(out: &mut Out, own: &TargetSheet, speaker: &Speaker<'_>) {
    let tr = speaker.tr;
    for advice in own.advice(speaker.now, speaker.zone) {
        out.item(&speaker.advice(&advice));
    }
    if own.seen.is_none() {
        return;
    }
    let busy = speaker.busy(own);
    if !busy.is_empty() && !own.is_always_busy() {
        out.item(&tr.with("sheet-busy-usual", &args!("times" => format::clauses(&busy, speaker.tr))));
    }
    if own.outages.ended() > 0 {
        out.item(&speaker.wait_by_part(own));
    }
    if let Some(speed) = speaker.speed(own) {
        out.item(&speed);
    }
    if !own.best.is_empty() {
        out.item(&tr.text("sheet-best-hours"));
        for best in own.best.iter() {
            out.sub_item(&speaker.best(best));
        }
    }
}

/// The text as it grows.
struct Out {
    text: String,
    markup: Markup,
}

impl Out {
    fn heading(&mut self, level: usize, words: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        if self.markup == Markup::Markdown {
            self.text.extend(std::iter::repeat_n('#', level));
            self.text.push(' ');
        }
        self.line(words);
        if self.markup == Markup::Markdown {
            self.text.push('\n');
        }
    }

    fn item(&mut self, words: &str) {
        self.text.push_str(if self.markup == Markup::Markdown { "- " } else { "  " });
        self.line(words);
    }

    fn sub_item(&mut self, words: &str) {
        self.text.push_str(if self.markup == Markup::Markdown { "  - " } else { "    " });
        self.line(words);
    }

    fn line(&mut self, words: &str) {
        let words = if self.markup == Markup::Markdown { escaped(words) } else { words.to_owned() };
        self.text.push_str(&words);
        self.text.push('\n');
    }
}

/// What Markdown would take for its own: names of models may have any sign.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for sign in words.chars() {
        if matches!(sign, '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|') {
            out.push('\\');
        }
        out.push(sign);
    }
    out
}
