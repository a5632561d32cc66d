//! The cheat sheet as one HTML file: all that the screen says, no script, nothing fetched, in the reader's colour scheme, ready to
//! print.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::ink::{escaped, hex};
use super::{Handout, grid};
use crate::core::sheet::{Advice, Cell, Evidence, Slot, TargetSheet};
use crate::ui::screens::sheet::document;
use crate::ui::screens::sheet::plan::{self, Promise, Stretch};
use crate::ui::screens::sheet::words::Speaker;
use crate::ui::screens::sheet::{model, week};
use crate::ui::theme::{Palette, readable_on};

/// Steps of colour from 0 to 100 %.
const STEPS: u8 = 20;

/// Layout of screen and paper; colours are variables.
const STYLE: &str = include_str!("page.css");

/// The page.
pub(super) fn page(handout: &Handout<'_>) -> String {
    let tr = handout.tr;
    let title = escaped(&tr.text("handout-title"));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{light}\n@media screen and (prefers-color-scheme:dark){{{dark}}}\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n<p class=\"weak\">{subtitle}</p>\n</header>\n<main>\n",
        lang = tr.lang().tag(),
        light = colors(Palette::of(false, false)),
        dark = colors(Palette::of(true, false)),
        subtitle = escaped(&handout.subtitle()),
    );
    let targets = handout.targets();
    if targets.iter().all(|target| !grid::is_seen(target)) {
        out += &format!("<p>{}</p>\n", escaped(&tr.text("sheet-missing-everything")));
    } else {
        out += &handout.speak(|speaker| chain(handout, speaker));
    }
    for target in targets {
        out += &handout.speak(|speaker| section(target, handout, speaker));
    }
    out + "</main>\n</body>\n</html>\n"
}

/// The colours of a scheme: names for the page's, and for each step of a cell: its own, that between its stripes, and what is read
/// on both.
fn colors(palette: &Palette) -> String {
    let names = [
        ("ground", palette.ground),
        ("card", palette.card),
        ("text", palette.text),
        ("strong", palette.strong),
        ("weak", palette.weak),
        ("line", palette.line),
        ("edge", palette.control_line),
        ("hover", palette.hover),
    ];
    let names: String = names.iter().map(|(name, color)| format!("--{name}:{};", hex(*color))).collect();
    let step = |step: u8| {
        let share = f32::from(step) / f32::from(STEPS);
        let (own, thin) = (palette.share(share), palette.thin(share));
        format!(
            ".s{step}{{--c:{};--i:{};--t:{};--j:{}}}",
            hex(own),
            hex(readable_on(own)),
            hex(thin),
            hex(readable_on(thin))
        )
    };
    let place = |place: usize| {
        let color = week::color(place, palette);
        format!(".p{place}{{--c:{};--t:{}}}", hex(color), hex(Palette::tint(palette.card, color, 0.26)))
    };
    format!(
        ":root{{{names}}}{}{}",
        (0..=STEPS).map(step).collect::<String>(),
        (0..=week::LAST_COLOR).map(place).collect::<String>()
    )
}

/// What to use today and tomorrow, both days by the hour, and the week.
fn chain(handout: &Handout<'_>, speaker: &Speaker<'_>) -> String {
    let tr = handout.tr;
    let plan = plan::week(handout.sheet, &handout.chain);
    let of_today = handout.away.today(handout.sheet, &handout.chain, speaker);
    let now = speaker.zone.to_datetime(speaker.now);
    let minute = u16::from(now.hour().unsigned_abs()) * 60 + u16::from(now.minute().unsigned_abs()) / 15 * 15;
    let days = [(0_i64, minute), (1, 0)];
    let days: Vec<(i64, Date, u16)> = days
        .into_iter()
        .filter_map(|(ahead, from)| Some((ahead, now.date().checked_add(ahead.days()).ok()?, from)))
        .collect();
    // Too early for a plan is not that nothing is free.
    let planned = if plan.iter().all(Vec::is_empty) { &[][..] } else { &days };
    let mut out = String::from("<section>\n<div class=\"days\">\n");
    for (ahead, date, from) in planned {
        let of_today = of_today.as_ref().filter(|_| *ahead == 0);
        let day = &of_today.map_or(&plan, |today| &today.week)[place_of(*date)];
        let title = escaped(&document::day_title(*date, *ahead, speaker));
        out += &format!("<div><h2>{title}</h2>\n");
        if let Some((_, words)) = handout.away.first(handout.sheet, &handout.chain, speaker).filter(|_| *ahead == 0) {
            out += &format!("<p>{}</p>\n", escaped(&words));
        }
        let longest = plan::longest(day, *from);
        let rest = plan::rest(day, *from);
        let rest = if plan::is_said(&rest, longest.as_ref()) { Vec::new() } else { rest };
        match longest {
            Some(longest) => {
                let hours = escaped(&speaker.stretch(longest.from, longest.to));
                let name = escaped(&(speaker.name)(&longest.target));
                let words = speaker.longest_of(*from, &longest, &speaker.stands_on(&longest));
                out += &format!(
                    "<p class=\"lead\"><b>{hours}</b> {name}</p>\n<p class=\"weak\">{}</p>\n",
                    escaped(&words)
                );
            }
            None => out += &format!("<p class=\"lead\">{}</p>\n", escaped(&speaker.longest_none(*from))),
        }
        let uses = speaker.day_by_target(&rest).into_iter().map(|(target, promise, hours)| {
            let note = speaker.promise(promise).map_or_else(String::new, |note| format!(" <i>{}</i>", escaped(&note)));
            format!("<li><b>{}</b> {}{note}</li>\n", escaped(&(speaker.name)(&target)), escaped(&hours))
        });
        out += &format!("<ul class=\"words\">\n{}</ul>\n", uses.collect::<String>());
        if let Some(today) = of_today {
            out += &format!("<p class=\"weak\">{}</p>\n", escaped(&today.words));
        }
        out += "</div>\n";
    }
    out += "</div>\n";
    let missing = handout.chain.first().and_then(|first| handout.sheet.get(first)?.missing(speaker.now));
    if let Some(missing) = missing {
        out += &format!("<p>{}</p>\n", escaped(&speaker.missing(&missing)));
    }
    out += "</section>\n";
    out += &legend(handout);
    out += "<section>\n";
    for (ahead, date, _) in &days {
        let title = escaped(&document::day_title(*date, *ahead, speaker));
        out += &format!("<h3>{title}</h3>\n{}", of_day(handout, speaker, *date));
    }
    out += &format!(
        "</section>\n<section>\n<h2>{}</h2>\n<table class=\"plan\">\n<tbody>\n",
        escaped(&tr.text("sheet-week-title"))
    );
    for ahead in 0..7_i64 {
        let Ok(date) = now.date().checked_add(ahead.days()) else { continue };
        let parts: String = plan[place_of(date)].iter().map(|stretch| part(stretch, handout, speaker)).collect();
        let name = grid::weekday(place_of(date) as u8 + 1, tr);
        out +=
            &format!("<tr><th scope=\"row\">{}</th><td><div class=\"bar\">{parts}</div></td></tr>\n", escaped(&name));
    }
    let hours: String = (0..24).step_by(3).map(|hour| format!("<span>{hour:02}</span>")).collect();
    out + &format!("<tr><th></th><td><div class=\"axis\">{hours}</div></td></tr>\n</tbody>\n</table>\n</section>\n")
}

fn place_of(date: Date) -> usize {
    usize::from(date.weekday().to_monday_zero_offset().unsigned_abs())
}

/// A stretch of the plan in its day's bar.
fn part(stretch: &Stretch, handout: &Handout<'_>, speaker: &Speaker<'_>) -> String {
    let place = handout.chain.iter().position(|target| *target == stretch.target).unwrap_or(0);
    let kind = match stretch.promise {
        Promise::Usual => "usual",
        Promise::Few => "few",
        Promise::Guess => "guess",
        Promise::Likeliest => "likeliest",
    };
    let width = f64::from(stretch.to - stretch.from) / 14.4;
    let name = escaped(&(speaker.name)(&stretch.target));
    let words = escaped(&speaker.longest(stretch));
    let hours = escaped(&speaker.stretch(stretch.from, stretch.to));
    format!(
        "<div class=\"p{} {kind}\" style=\"width:{width:.3}%\" title=\"{words}\">{name} <small>{hours}</small></div>",
        place.min(week::LAST_COLOR)
    )
}

/// The chain's targets by the hours of a day.
fn of_day(handout: &Handout<'_>, speaker: &Speaker<'_>, date: Date) -> String {
    let day = place_of(date) as u8 + 1;
    let mut out = head("hours");
    for target in handout.chain.iter().filter_map(|target| handout.sheet.get(target)) {
        out += &format!("<tr><th scope=\"row\">{}</th>", escaped(&(speaker.name)(&target.target)));
        out += &(0..24).map(|hour| td(target, day, hour, handout)).collect::<String>();
        out += "</tr>\n";
    }
    out + "</tbody>\n</table></div>\n"
}

/// The legend of the screen.
fn legend(handout: &Handout<'_>) -> String {
    let words = |id: &str| escaped(&handout.tr.text(id));
    let ramp: String = (0..=STEPS).step_by(2).map(|step| format!("<span class=\"s{step} known\"></span>")).collect();
    format!(
        "<ul class=\"legend\"><li>{ramp} {}</li><li><span class=\"s18 thin\"></span> {}</li><li><span class=\"empty\"></span> {}</li></ul>\n",
        words("sheet-legend-ends"),
        words("sheet-legend-thin"),
        words("sheet-legend-empty")
    )
}

fn section(target: &TargetSheet, handout: &Handout<'_>, speaker: &Speaker<'_>) -> String {
    let tr = handout.tr;
    let mut out = format!(
        "<section>\n<h2 title=\"{}\">{}</h2>\n",
        escaped(target.target.as_str()),
        escaped(&(speaker.name)(&target.target))
    );
    // Outages and changes stand among the habits.
    let advice = target.advice(speaker.now, speaker.zone);
    let is_now =
        |advice: &&Advice| !grid::is_seen(target) || !matches!(advice, Advice::OutagesLast(_) | Advice::Changed(_));
    let items = advice.iter().filter(is_now).map(|advice| format!("<li>{}</li>\n", escaped(&speaker.advice(advice))));
    out += &format!("<ul class=\"words\">\n{}</ul>\n", items.collect::<String>());
    if !grid::is_seen(target) {
        return out + "</section>\n";
    }
    out += "<div class=\"days\">\n<dl>\n";
    for (head, words) in model::habits(target, speaker) {
        out += &format!("<dt>{}</dt><dd>{}</dd>\n", escaped(&head), escaped(&words));
    }
    out += &format!("</dl>\n<div><h3>{}</h3>\n<table class=\"best\">\n", escaped(&tr.text("sheet-best-hours")));
    let heads = model::BEST_HEADS.map(|id| format!("<th scope=\"col\">{}</th>", escaped(&tr.text(id))));
    out += &format!("<tr><th></th>{}</tr>\n", heads.concat());
    for best in model::best(target, speaker) {
        let mark = if best.is_thin { "<span class=\"s18 thin\"></span>" } else { "" };
        let cells: String = best.columns.iter().map(|column| format!("<td>{}</td>", escaped(column))).collect();
        out += &format!("<tr title=\"{}\"><td>{mark}</td>{cells}</tr>\n", escaped(&best.summary));
    }
    out += "</table></div>\n</div>\n";
    out += &head("week");
    for day in 1..=7 {
        out += &format!("<tr><th scope=\"row\">{}</th>", escaped(&grid::weekday(day, tr)));
        out += &(0..24).map(|hour| td(target, day, hour, handout)).collect::<String>();
        out += "</tr>\n";
    }
    out += "</tbody>\n</table></div>\n";
    out + &speed(target, handout) + "</section>\n"
}

/// A table's beginning, with the hours of the day above it.
fn head(class: &str) -> String {
    let hours: String = (0..24).map(|hour| format!("<th scope=\"col\">{hour:02}</th>")).collect();
    format!("<div class=\"scroll\"><table class=\"{class}\">\n<thead><tr><th></th>{hours}</tr></thead>\n<tbody>\n")
}

fn td(target: &TargetSheet, day: u8, hour: u8, handout: &Handout<'_>) -> String {
    let cell: &Cell = grid::cell(target, day, hour);
    let step = (cell.share.clamp(0.0, 1.0) * f64::from(STEPS)).round() as u8;
    let percent = grid::percent(cell.share);
    let (class, text) = match cell.evidence {
        Evidence::Known => (format!("s{step} known"), percent.to_string()),
        Evidence::Thin => (format!("s{step} thin"), format!("<b>{percent}</b>")),
        Evidence::Empty => ("empty".to_owned(), String::new()),
    };
    format!("<td class=\"{class}\" title=\"{}\">{text}</td>", escaped(&grid::words(target, day, hour, handout.tr)))
}

/// The time to the first token by slot: the median, and below it what nine of ten stay within.
fn speed(target: &TargetSheet, handout: &Handout<'_>) -> String {
    let Some(latency) = target.latency.as_ref().filter(|latency| latency.overall().is_some()) else {
        return String::new();
    };
    let mut out = format!("<h3>{}</h3>\n{}", escaped(&handout.tr.text("handout-speed-title")), head("speed"));
    for day in 1..=7 {
        out += &format!("<tr><th scope=\"row\">{}</th>", escaped(&grid::weekday(day, handout.tr)));
        for hour in 0..24 {
            let cell = Slot::new(day, hour).and_then(|slot| latency.slot(slot));
            out += &cell.map_or_else(
                || "<td></td>".to_owned(),
                |cell| {
                    let [median, most] = grid::seconds(&cell);
                    format!("<td>{median}<small>{most}</small></td>")
                },
            );
        }
        out += "</tr>\n";
    }
    out + "</tbody>\n</table></div>\n"
}
