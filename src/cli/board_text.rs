//! The Board as text: the same words as in the window.

use unicode_width::UnicodeWidthStr as _;

use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::screens::board::model::Model;
use crate::ui::state::UiState;
use jiff::Timestamp;

/// Headline, subline and one aligned line a target.
pub fn board(snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> String {
    let model = Model::new(snapshot, None, &UiState::default(), now, tr);
    let mut text: String = model.headline.iter().map(|piece| piece.text.as_str()).collect();
    text.push('\n');
    if !model.subline.is_empty() {
        text.push_str(&model.subline);
        text.push('\n');
    }
    let rows: Vec<[&str; 6]> = model
        .rows
        .iter()
        .map(|row| {
            let cells = [&row.role, &row.name, &row.provider, &row.state, &row.first_token, &row.advice];
            cells.map(String::as_str)
        })
        .collect();
    if !rows.is_empty() {
        text.push('\n');
        text.push_str(&columns(&rows));
    }
    text
}

/// Rows as columns, each as wide as its widest cell on a terminal; nothing behind the last one.
pub fn columns<const N: usize>(rows: &[[&str; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (width, cell) in widths.iter().zip(row) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.width() + 2));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn wide_characters_count_twice_and_no_line_ends_in_spaces() {
        assert_eq!(columns(&[["模型", "x", ""], ["a", "yy", "z"]]), "模型  x\na     yy  z\n");
    }
}
