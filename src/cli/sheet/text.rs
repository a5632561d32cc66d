//! The week of each target as a table of text, plain or Markdown.

use unicode_width::UnicodeWidthStr as _;

use super::{Handout, grid};
use crate::core::sheet::{Slot, TargetSheet};
use crate::ui::screens::sheet::document::Markup;

/// The tables of all targets that were ever seen, with what their cells mean.
pub(super) fn tables(handout: &Handout<'_>, markup: Markup) -> String {
    let tr = handout.tr;
    let seen: Vec<_> = handout.targets().into_iter().filter(|target| grid::is_seen(target)).collect();
    if seen.is_empty() {
        return String::new();
    }
    let mut out =
        format!("{}{}\n\n{}\n", heading(markup, 2), tr.text("handout-table-title"), tr.text("handout-legend"));
    for target in seen {
        let name = handout.name_of(&target.target);
        let name = if markup == Markup::Markdown { escaped(&name) } else { name };
        out += &format!("\n{}{name}\n\n{}", heading(markup, 3), table(target, handout, markup));
        if markup == Markup::Markdown
            && let Some(latency) = target.latency.as_ref().filter(|latency| latency.overall().is_some())
        {
            let speed = |day: u8, hour: u8| {
                let cell = latency.slot(Slot::new(day, hour)?)?;
                let [median, most] = grid::seconds(&cell);
                Some(format!("{median} / {most}"))
            };
            let cells = |day: u8, hour: u8| speed(day, hour).unwrap_or_else(|| "·".to_owned());
            out += &format!("\n{}\n\n{}", tr.text("handout-speed-title"), of_hours(handout, markup, cells));
        }
    }
    out
}

/// What begins a heading.
const fn heading(markup: Markup, level: usize) -> &'static str {
    match (markup, level) {
        (Markup::Text, _) => "",
        (Markup::Markdown, 2) => "## ",
        (Markup::Markdown, _) => "### ",
    }
}

/// One row an hour, one column a weekday: 45 characters wide, for every terminal.
fn table(target: &TargetSheet, handout: &Handout<'_>, markup: Markup) -> String {
    of_hours(handout, markup, |day, hour| grid::mark(grid::cell(target, day, hour)))
}

fn of_hours(handout: &Handout<'_>, markup: Markup, cell: impl Fn(u8, u8) -> String) -> String {
    let head = std::iter::once(String::new()).chain((1..=7).map(|day| grid::weekday(day, handout.tr))).collect();
    let hour = |hour: u8| {
        let cells = (1..=7).map(|day| cell(day, hour));
        std::iter::once(format!("{hour:02}:00")).chain(cells).collect::<Vec<_>>()
    };
    let mut lines = vec![line(head, markup)];
    if markup == Markup::Markdown {
        lines.push(format!("| --- |{}", " ---: |".repeat(7)));
    }
    lines.extend((0..24).map(|at| line(hour(at), markup)));
    lines.join("\n") + "\n"
}

fn line(cells: Vec<String>, markup: Markup) -> String {
    match markup {
        Markup::Markdown => format!("| {} |", cells.join(" | ")),
        Markup::Text => {
            let pad = |cell: String| format!("{}{cell}", " ".repeat(5_usize.saturating_sub(cell.width())));
            cells.into_iter().map(pad).collect::<Vec<_>>().join(" ").trim_end().to_owned()
        }
    }
}

/// What Markdown would take for its own: names of models may have any sign.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for sign in words.chars() {
        if matches!(sign, '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|' | '&') {
            out.push('\\');
        }
        out.push(if sign.is_control() { ' ' } else { sign });
    }
    out
}
