//! Frames and the few text shapes inside them.

use egui::{
    Align, CornerRadius, Frame, InnerResponse, Label, Layout, Margin, Response, Role, Sense, Stroke, Ui, UiBuilder,
    Vec2, WidgetInfo,
};

use crate::ui::theme::tokens::{radius, space, stroke};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::access;

/// The frame of a card, for uses that [`card`] does not fit (such as a table that fills it to the edge: set
/// `inner_margin` to 0).
pub fn frame(ui: &Ui) -> Frame {
    let palette = palette(ui);
    Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(stroke::HAIR, palette.line))
        .corner_radius(CornerRadius::same(radius::CARD))
        .inner_margin(Margin::same(space::LARGE as i8))
}

/// A card over the full width.
pub fn card<R>(ui: &mut Ui, add_contents: impl FnOnce(&mut Ui) -> R) -> InnerResponse<R> {
    frame(ui).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        add_contents(ui)
    })
}

/// Raw text as a program wrote it: evidence, commands, diffs. Can be selected.
pub fn evidence(ui: &mut Ui, text: &str) -> Response {
    let palette = palette(ui);
    Frame::new()
        .fill(palette.sunken)
        .stroke(Stroke::new(stroke::HAIR, palette.line))
        .corner_radius(CornerRadius::same(radius::CONTROL))
        .inner_margin(Margin::same(space::MEDIUM as i8))
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.add(Label::new(Type::Mono.text(text).line_height(Some(18.0))).wrap())
        })
        .inner
}

/// The head of a section inside a card: small capitals to the eye, the plain words to a screen reader.
pub fn section(ui: &mut Ui, text: &str) -> Response {
    let color = palette(ui).weak;
    let galley = ui.painter().layout_no_wrap(text.to_uppercase(), Type::Caption.font(), color);
    let (rect, response) = ui.allocate_exact_size(galley.size() + Vec2::new(0.0, space::TINY), Sense::hover());
    ui.painter().galley(rect.min, galley, color);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    access::heading(response, 3)
}

/// Named facts, the values under each other.
pub fn facts(ui: &mut Ui, facts: &[(String, String)]) {
    let weak = palette(ui).weak;
    let names = facts.iter().map(|(name, _)| Type::Body.width(ui, name.as_str())).fold(0.0, f32::max).ceil();
    ui.spacing_mut().item_spacing.x = space::LARGE;
    for (name, value) in facts {
        ui.horizontal_top(|ui| {
            let (_, rect) = ui.allocate_space(Vec2::new(names, ui.text_style_height(&Type::Body.style())));
            let builder = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Min));
            ui.new_child(builder).label(Type::Body.text(name).color(weak));
            ui.add(Label::new(Type::Body.text(value)).wrap());
        });
    }
}

/// A named fact: the name weak, the value beside it, wrapped together.
pub fn fact(ui: &mut Ui, name: &str, value: &str) {
    let palette = palette(ui);
    ui.scope(|ui| {
        // Before the line begins: a line is as high as a button otherwise.
        ui.spacing_mut().interact_size.y = 0.0;
        ui.spacing_mut().item_spacing = Vec2::new(space::BASE, space::TINY);
        ui.horizontal_wrapped(|ui| {
            let words = |text: &str| Type::Body.text(text).line_height(Some(space::LARGE + space::SMALL));
            ui.label(words(name).color(palette.weak));
            ui.label(words(value));
        });
    });
}
