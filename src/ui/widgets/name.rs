//! Names of models. What tells two of them apart is often their end (`…-thinking-1m`, `…-thinking-200k`), so that a name that
//! is too long is cut in its middle and not at its end; the whole is read on hover.

use egui::{Color32, Label, Response, Role, Ui, WidgetInfo};

use crate::ui::theme::Type;

/// Letters that are left of the longest name, however little room there is.
const SHORTEST: usize = 8;

/// The name as it fits into `room` points; `None` when all of it does, or when it is so short that nothing would be won.
pub fn cut(ui: &Ui, kind: Type, name: &str, room: f32) -> Option<String> {
    let letters: Vec<char> = name.chars().collect();
    // The sign of what is left out takes a letter's room.
    if letters.len() <= SHORTEST + 1 || kind.width(ui, name) <= room {
        return None;
    }
    let (mut fits, mut least) = (SHORTEST, letters.len());
    while least - fits > 1 {
        let middle = fits.midpoint(least);
        if kind.width(ui, without_middle(&letters, middle)) <= room {
            fits = middle;
        } else {
            least = middle;
        }
    }
    Some(without_middle(&letters, fits))
}

/// `count` letters of a name, half of them from its end.
fn without_middle(letters: &[char], count: usize) -> String {
    let end = count / 2;
    let (head, tail) = (&letters[..count - end], &letters[letters.len() - end..]);
    head.iter().chain(&['…']).chain(tail).collect()
}

/// A name over the room there is, in a row or another thing that is clicked as a whole.
pub fn name(ui: &mut Ui, kind: Type, name: &str, color: Color32) -> Response {
    show(ui, kind, name, color, |label| label.selectable(false))
}

/// The same as a title, of which the whole name can be selected where it fits.
pub fn title(ui: &mut Ui, kind: Type, name: &str, color: Color32) -> Response {
    show(ui, kind, name, color, |label| label)
}

fn show(ui: &mut Ui, kind: Type, name: &str, color: Color32, tuned: impl FnOnce(Label) -> Label) -> Response {
    let Some(cut) = cut(ui, kind, name, ui.available_width()) else {
        return ui.add(tuned(Label::new(kind.text(name).color(color))).truncate());
    };
    let response = ui.add(Label::new(kind.text(cut).color(color)).truncate().selectable(false));
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
    response.on_hover_text(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_left_out_and_both_ends_stay() {
        let letters: Vec<char> = "claude-sonnet-5-thinking-200k".chars().collect();
        assert_eq!(without_middle(&letters, 9), "claud…200k");
        let letters: Vec<char> = "通义千问三代编程旗舰版".chars().collect();
        assert_eq!(without_middle(&letters, 4), "通义…舰版");
    }
}
