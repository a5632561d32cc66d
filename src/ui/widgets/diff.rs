//! A diff to read before it is written: each line with its sign and its colour.

use egui::{CornerRadius, Frame, Label, Margin, Stroke, Ui};

use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Type, palette};

/// What a line of a diff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It comes.
    Added,
    /// It goes.
    Removed,
    /// It stays.
    Kept,
    /// It says where the next lines stand.
    Place,
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is.
    pub sign: Sign,
    /// Its text, with the sign before it.
    pub text: String,
}

impl Row {
    /// The lines of a unified diff, without its head and without the place of a single hunk.
    pub fn parse(diff: &str) -> Vec<Self> {
        let lines = diff.lines().skip_while(|line| line.starts_with("---") || line.starts_with("+++"));
        let mut rows: Vec<Self> = lines
            .filter(|line| !line.starts_with('\\'))
            .map(|line| {
                let sign = match line.as_bytes().first() {
                    Some(b'+') => Sign::Added,
                    Some(b'-') => Sign::Removed,
                    Some(b'@') => Sign::Place,
                    _ => Sign::Kept,
                };
                let (head, rest) = line.split_at(line.len().min(1));
                let text = if sign == Sign::Place { line.to_owned() } else { format!("{head} {rest}") };
                Self { sign, text }
            })
            .collect();
        if rows.iter().filter(|row| row.sign == Sign::Place).count() == 1 {
            rows.retain(|row| row.sign != Sign::Place);
        }
        rows
    }
}

/// Draws the lines under each other, wrapped where they are too long.
pub fn diff(ui: &mut Ui, rows: &[Row]) {
    let palette = palette(ui);
    Frame::new()
        .fill(palette.sunken)
        .stroke(Stroke::new(stroke::HAIR, palette.line))
        .corner_radius(CornerRadius::same(radius::CONTROL))
        .inner_margin(Margin::symmetric(0, space::SMALL as i8))
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            for row in rows {
                let (fill, color) = match row.sign {
                    Sign::Added => (Some(palette.added), palette.strong),
                    Sign::Removed => (Some(palette.removed), palette.strong),
                    Sign::Kept => (None, palette.text),
                    Sign::Place => (None, palette.weak),
                };
                let line = Frame::new().inner_margin(Margin::symmetric(space::MEDIUM as i8, 1));
                let line = fill.map_or(line, |fill| line.fill(fill));
                line.show(ui, |ui| {
                    ui.set_min_width(ui.available_width());
                    ui.add(Label::new(Type::Mono.text(&row.text).color(color)).wrap());
                });
            }
        });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_read_by_its_signs() {
        let text = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n-model = 'a'\n+model = 'b'\n x\n\\ No newline at end of file\n";
        let rows = Row::parse(text);
        let signs: Vec<Sign> = rows.iter().map(|row| row.sign).collect();
        assert_eq!(signs, [Sign::Removed, Sign::Added, Sign::Kept]);
        assert_eq!(rows[1].text, "+ model = 'b'");
        assert_eq!(Row::parse("@@ 1 @@\n-a\n@@ 9 @@\n+b\n").len(), 4, "two places are told apart");
        assert_eq!(Row::parse(""), []);
    }
}
