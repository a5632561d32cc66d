//! The cheat sheet as one HTML file: no script, nothing fetched, in the reader's colour scheme, ready to print.

use super::picture::{escaped, hex};
use super::shade::{ink, shade};
use super::{Handout, grid};
use crate::core::sheet::{Evidence, TargetSheet};
use crate::ui::theme::Palette;

/// Steps of colour from 0 to 100 %.
const STEPS: u8 = 20;

/// Layout of screen and paper; colours are variables.
const STYLE: &str = "\
*{box-sizing:border-box}\
body{margin:0 auto;padding:24px;max-width:1120px;background:var(--ground);color:var(--text);font:14px/1.5 system-ui,sans-serif}\
h1,h2{color:var(--strong);line-height:1.25;overflow-wrap:anywhere}h1{font-size:24px;margin:0}h2{font-size:17px;margin:28px 0 8px}\
.weak{color:var(--weak);margin:4px 0 12px}\
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;padding:0;margin:12px 0;list-style:none}\
.legend span{display:inline-block;min-width:34px;padding:1px 4px;margin-right:6px;border-radius:2px;text-align:center}\
.scroll{overflow-x:auto}\
table{border-collapse:separate;border-spacing:2px;font-size:12px;font-variant-numeric:tabular-nums}\
th{font-weight:400;color:var(--weak);padding:1px 4px;text-align:center}tbody th{text-align:right;color:var(--text)}\
td{min-width:34px;padding:3px 2px;text-align:center;border-radius:2px}\
.thin{box-shadow:inset 0 0 0 2px var(--ground),inset 0 0 0 3px var(--edge);font-style:italic}\
.empty{color:var(--weak);box-shadow:inset 0 0 0 1px var(--line)}\
ul.words{margin:0 0 10px;padding-left:20px}\
@media print{@page{size:A4 landscape;margin:12mm}body{padding:0;max-width:none}section{break-inside:avoid}\
.scroll{overflow:visible}td,.legend span{-webkit-print-color-adjust:exact;print-color-adjust:exact}}";

/// The page.
pub(super) fn page(handout: &Handout<'_>) -> String {
    let tr = handout.tr;
    let title = escaped(&tr.text("handout-title"));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{light}\n@media screen and (prefers-color-scheme:dark){{{dark}}}\n{STYLE}\n</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n<p class=\"weak\">{subtitle}</p>\n</header>\n<main>\n",
        lang = tr.lang().tag(),
        light = colors(Palette::of(false, false)),
        dark = colors(Palette::of(true, false)),
        subtitle = escaped(&handout.subtitle()),
    );
    let targets = handout.targets();
    if targets.is_empty() {
        out += &format!("<p>{}</p>\n", escaped(&tr.text("sheet-missing-everything")));
    } else {
        out += &legend(handout);
    }
    for target in targets {
        out += &section(target, handout);
    }
    out + "</main>\n</body>\n</html>\n"
}

/// The colours of a scheme: names for the page's, a class for each step of a cell's.
fn colors(palette: &Palette) -> String {
    let names = [
        ("ground", palette.ground),
        ("text", palette.text),
        ("strong", palette.strong),
        ("weak", palette.weak),
        ("line", palette.line),
        ("edge", palette.control_line),
    ];
    let names: String = names.iter().map(|(name, color)| format!("--{name}:{};", hex(*color))).collect();
    let step = |step: u8| {
        let ground = shade(palette, f64::from(step) / f64::from(STEPS));
        format!(".s{step}{{background:{};color:{}}}", hex(ground), hex(ink(ground)))
    };
    format!(":root{{{names}}}{}", (0..=STEPS).map(step).collect::<String>())
}

fn legend(handout: &Handout<'_>) -> String {
    let kinds = [
        ("s17", "85", "handout-legend-known"),
        ("s17 thin", "85?", "handout-legend-thin"),
        ("empty", "·", "handout-legend-empty"),
    ];
    let item = |(class, mark, id): (&str, &str, &str)| {
        format!("<li><span class=\"{class}\">{mark}</span>{}</li>", escaped(&handout.tr.text(id)))
    };
    format!("<ul class=\"legend\">{}</ul>\n", kinds.map(item).concat())
}

fn section(target: &TargetSheet, handout: &Handout<'_>) -> String {
    let mut out = format!("<section>\n<h2>{}</h2>\n", escaped(target.target.as_str()));
    let words = handout.words(target);
    if !words.is_empty() {
        let items: String = words.iter().map(|words| format!("<li>{}</li>\n", escaped(words))).collect();
        out += &format!("<ul class=\"words\">\n{items}</ul>\n");
    }
    if grid::is_seen(target) {
        out += &table(target, handout);
    }
    out + "</section>\n"
}

fn table(target: &TargetSheet, handout: &Handout<'_>) -> String {
    let hours: String = (0..24).map(|hour| format!("<th scope=\"col\">{hour:02}</th>")).collect();
    let mut out = format!("<div class=\"scroll\"><table>\n<thead><tr><td></td>{hours}</tr></thead>\n<tbody>\n");
    for day in 1..=7 {
        out += &format!("<tr><th scope=\"row\">{}</th>", escaped(&grid::weekday(day, handout.tr)));
        for hour in 0..24 {
            let cell = grid::cell(target, day, hour);
            let step = (cell.share.clamp(0.0, 1.0) * f64::from(STEPS)).round() as u8;
            let class = match cell.evidence {
                Evidence::Known => format!("s{step}"),
                Evidence::Thin => format!("s{step} thin"),
                Evidence::Empty => "empty".to_owned(),
            };
            let title = escaped(&grid::words(target, day, hour, handout.tr));
            out += &format!("<td class=\"{class}\" title=\"{title}\">{}</td>", grid::mark(cell));
        }
        out += "</tr>\n";
    }
    out + "</tbody>\n</table></div>\n"
}
