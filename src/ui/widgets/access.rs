//! What the tree of a screen reader is told beyond the names that widgets give: headings, lists, menus, dialogs, and what
//! is read out when it changes.

use egui::accesskit::{HasPopup, Live, Role};
use egui::containers::menu::MenuButton;
use egui::{Id, InnerResponse, Key, Modifiers, Response, Ui, UiBuilder, UiKind, vec2};

/// So much of a page is scrolled by a key: some lines stay in view.
const PAGE: f32 = 0.85;

/// Says that these words are a heading: 1 of a screen or dialog, 2 of a card, 3 of a part of it.
pub fn heading(response: Response, level: usize) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| {
        // Words of a label are its value; a heading is found by its name.
        if let Some(words) = node.value().map(str::to_owned) {
            node.set_label(words);
            node.clear_value();
        }
        node.set_role(Role::Heading);
        node.set_level(level);
    });
    response
}

/// Has a change of these words read out when nothing else is being said.
pub fn live(response: Response) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_live(Live::Polite));
    response
}

/// Says what a button is about, where several have the same words.
pub fn about(response: Response, what: &str) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(what));
    response
}

/// Contents that belong together: a list, a table, a group of choices, with its name.
pub fn group<R>(ui: &mut Ui, role: Role, name: &str, add_contents: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope_builder(UiBuilder::new().accessibility_role(role).accessibility_label(name), add_contents).inner
}

/// The row of a list that Page Up and Page Down go through while it has the focus.
#[derive(Clone, Copy)]
struct Paged(Id);

/// Has a row keep the page keys while it has the focus: its list goes through them.
pub fn keeps_pages(ui: &Ui, row: Id) {
    ui.data_mut(|data| data.insert_temp(Id::NULL, Paged(row)));
}

/// Page Up and Page Down scroll the page around `ui`: that of the focus, or the first that is drawn.
pub fn scrolls(ui: &Ui) {
    let page = ui.clip_rect();
    let focused = ui.memory(|memory| memory.focused());
    if focused.is_some() && ui.data(|data| data.get_temp::<Paged>(Id::NULL)).map(|row| row.0) == focused {
        return;
    }
    let focused = focused.and_then(|id| ui.ctx().read_response(id));
    let is_elsewhere = focused.is_some_and(|response| !page.intersects(response.rect));
    if is_elsewhere || !ui.memory(|memory| memory.allows_interaction(ui.layer_id())) {
        return;
    }
    let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as f32;
    let pages = pressed(Key::PageDown) - pressed(Key::PageUp);
    if pages != 0.0 {
        ui.scroll_with_delta(vec2(0.0, -pages * page.height() * PAGE));
    }
}

/// Gives a part of the window its role and name, such as a panel; without a name it is what stands in it.
pub fn part(ui: &Ui, role: Role, name: &str) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_role(role);
        if !name.is_empty() {
            node.set_label(name);
        }
    });
}

/// Says that one of several is the chosen one. What egui calls selected is *checked* to a screen reader.
pub fn chosen(ui: &Ui, id: Id, is_chosen: bool) {
    ui.ctx().accesskit_node_builder(id, |node| {
        node.clear_toggled();
        node.set_selected(is_chosen);
    });
}

/// Gives Enter to the button that a dialog is for, until the user moves on: what has the focus below the dialog has it no
/// more.
pub fn takes_enter(ui: &Ui, button: &Response) {
    let focused = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id));
    if focused.is_none_or(|response| response.layer_id != ui.layer_id()) {
        button.request_focus();
    }
}

/// The menu that a button has just shown, with [`opens`] said of the button.
pub fn menu<R>(shown: InnerResponse<Option<R>>) -> InnerResponse<Option<R>> {
    opens(&shown.response, shown.inner.is_some());
    shown
}

/// A button of this look with its menu.
pub fn menu_of<R>(ui: &mut Ui, button: MenuButton<'_>, add_contents: impl FnOnce(&mut Ui) -> R) -> Response {
    let (response, shown) = button.ui(ui, add_contents);
    opens(&response, shown.is_some());
    response
}

/// Says that a button opens a menu, and whether it is open.
fn opens(response: &Response, is_open: bool) {
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_has_popup(HasPopup::Menu);
        node.set_expanded(is_open);
    });
}

/// Names the dialog around `ui`, and says that nothing beside it can be used.
pub fn dialog(ui: &Ui, name: &str) {
    let around = ui.stack().iter().find(|part| part.kind() == Some(UiKind::Modal)).map(|part| part.unique_id);
    if let Some(id) = around {
        ui.ctx().accesskit_node_builder(id, |node| {
            node.set_label(name);
            node.set_modal();
        });
    }
}
