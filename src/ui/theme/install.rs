//! Puts tokens, colours and fonts into an egui context.

use egui::style::{HandleShape, ScrollAnimation, ScrollStyle, WidgetVisuals};
use egui::{Context, CornerRadius, Id, Margin, Shadow, Stroke, Style, Theme, ThemePreference, Vec2, Visuals};

use super::colors::Palette;
use super::fonts;
use super::tokens::{Type, motion, radius, size, space, stroke};

/// What the user chose of the looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Dark, light, or as the system has it.
    pub theme: ThemePreference,
    /// Black on white or white on black, with stronger lines.
    pub is_high_contrast: bool,
    /// Nothing moves or fades.
    pub is_still: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { theme: ThemePreference::System, is_high_contrast: false, is_still: false }
    }
}

/// Installs fonts and looks; once, before the first frame.
pub fn install(ctx: &Context, look: Look) {
    ctx.set_fonts(fonts::definitions());
    apply(ctx, look);
}

/// Changes the looks; cheap, but not for every frame.
pub fn apply(ctx: &Context, look: Look) {
    ctx.data_mut(|data| data.insert_temp(contrast_id(), look.is_high_contrast));
    for theme in [Theme::Dark, Theme::Light] {
        let palette = Palette::of(theme == Theme::Dark, look.is_high_contrast);
        let mut style = style(palette, ctx.style_of(theme).as_ref().clone());
        if look.is_still {
            style.animation_time = 0.0;
            style.scroll_animation = ScrollAnimation::none();
        } else {
            style.scroll_animation = ScrollAnimation::default();
        }
        ctx.set_style_of(theme, style);
    }
    ctx.set_theme(look.theme);
}

/// Where the context remembers whether contrast is high.
pub(super) fn contrast_id() -> Id {
    Id::unique("vacancy-high-contrast")
}

fn style(palette: &Palette, mut style: Style) -> Style {
    style.text_styles = Type::ALL.map(|kind| (kind.style(), kind.font())).into();
    style.text_styles.insert(egui::TextStyle::Button, Type::Body.font());
    style.animation_time = motion::SECS;
    style.interaction.selectable_labels = true;
    style.interaction.tooltip_delay = 0.3;
    style.spacing.item_spacing = Vec2::new(space::BASE, space::BASE);
    style.spacing.button_padding = Vec2::new(space::MEDIUM, space::SMALL + space::TINY);
    style.spacing.interact_size = Vec2::new(40.0, size::CONTROL);
    style.spacing.window_margin = Margin::same(space::LARGE as i8);
    style.spacing.menu_margin = Margin::same(space::BASE as i8);
    style.spacing.icon_width = space::LARGE;
    style.spacing.tooltip_width = 360.0;
    style.spacing.scroll = ScrollStyle { bar_width: space::BASE, ..ScrollStyle::thin() };
    style.visuals = visuals(palette);
    style
}

fn visuals(palette: &Palette) -> Visuals {
    let mut visuals = if palette.is_dark { Visuals::dark() } else { Visuals::light() };
    let widget = |fill, line, text| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(stroke::HAIR, line),
        fg_stroke: Stroke::new(stroke::HAIR, text),
        corner_radius: CornerRadius::same(radius::CONTROL),
        expansion: 0.0,
    };
    visuals.widgets.noninteractive = widget(palette.ground, palette.line, palette.text);
    visuals.widgets.inactive = widget(palette.control, palette.control_line, palette.text);
    // Ticks and slider rails: a shade stronger than a button.
    visuals.widgets.inactive.bg_fill = palette.gap;
    visuals.handle_shape = HandleShape::Circle;
    visuals.widgets.hovered = widget(palette.hover, palette.weak, palette.strong);
    // egui draws a widget with the keyboard's focus as `active`: its line is the focus ring.
    visuals.widgets.active = widget(palette.pressed, palette.accent, palette.strong);
    visuals.widgets.active.bg_stroke.width = stroke::FOCUS;
    visuals.widgets.open = widget(palette.pressed, palette.control_line, palette.strong);

    visuals.weak_text_color = Some(palette.weak);
    visuals.hyperlink_color = palette.accent;
    visuals.selection.bg_fill = palette.selected;
    visuals.selection.stroke = Stroke::new(stroke::HAIR, palette.accent);
    visuals.panel_fill = palette.ground;
    visuals.window_fill = palette.card;
    visuals.window_stroke = Stroke::new(stroke::HAIR, palette.line);
    visuals.faint_bg_color = palette.card;
    visuals.extreme_bg_color = palette.sunken;
    visuals.code_bg_color = palette.sunken;
    visuals.warn_fg_color = palette.families[1];
    visuals.error_fg_color = palette.families[3];
    visuals.window_corner_radius = CornerRadius::same(radius::CARD);
    visuals.menu_corner_radius = CornerRadius::same(radius::CARD);
    visuals.popup_shadow = Shadow { offset: [0, 4], blur: 12, spread: 0, color: palette.shadow };
    visuals.window_shadow = Shadow { offset: [0, 8], blur: 24, spread: 0, color: palette.shadow };
    visuals.text_cursor.stroke = Stroke::new(stroke::FOCUS, palette.accent);
    visuals.image_loading_spinners = false;
    visuals
}
