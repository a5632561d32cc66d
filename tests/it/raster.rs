//! Pictures: what the rasteriser draws, and every shared widget in one.

use std::sync::Arc;

use egui::{Theme, Ui, Vec2};
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::Queryable as _;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use vacancy::core::outcome::Family;
use vacancy::engine::snapshot::{STRIP_CELLS, Strip, StripCell};
use vacancy::i18n::{Lang, Tr};
use vacancy::raster;
use vacancy::ui::theme::tokens::{size, space};
use vacancy::ui::theme::{self, Look, Type, palette};
use vacancy::ui::widgets::mark::Mark;
use vacancy::ui::widgets::row::{self, RowState};
use vacancy::ui::widgets::toast::{Toast, Toasts};
use vacancy::ui::widgets::{button, card, chip, empty, key_hint, logo, strip};

use crate::support;

/// A day with every family, mixed quarter hours and gaps.
fn day() -> Strip {
    let cells = (0..STRIP_CELLS).map(|index| match index {
        0..6 => StripCell::default(),
        40..48 => StripCell { family: Some(Family::Full), free_share: (index - 40) as f32 / 8.0, samples: 3 },
        48..52 => StripCell { family: Some(Family::Full), free_share: 0.0, samples: 5 },
        60..63 => StripCell { family: Some(Family::Fault), free_share: 0.2, samples: 2 },
        66..70 => StripCell { family: Some(Family::Limited), free_share: 0.0, samples: 1 },
        72..76 => StripCell { family: Some(Family::Blocked), free_share: 0.0, samples: 1 },
        80..83 => StripCell { family: Some(Family::Unknown), free_share: 0.0, samples: 1 },
        83..86 => StripCell { family: Some(Family::Available), free_share: 0.6, samples: 2 },
        _ => StripCell { family: Some(Family::Available), free_share: 1.0, samples: 1 },
    });
    Strip { start: Timestamp::UNIX_EPOCH, cells: cells.collect::<Arc<[_]>>() }
}

/// Every widget once.
fn gallery(ui: &mut Ui, tr: &Tr) {
    let palette = palette(ui);
    egui::CentralPanel::default().show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            logo::logo(ui, 22.0, "Vacancy");
            ui.label(Type::Heading.text("Vacancy"));
            ui.add_space(space::WIDE);
            for kind in Type::ALL {
                ui.label(kind.text(format!("{kind:?} 模型")));
            }
        });
        ui.horizontal(|ui| {
            let _ = ui.add(button::primary(ui, "Use in Codex"));
            let _ = ui.add(button::toned(ui, "Use"));
            let _ = ui.add(button::plain("Probe now"));
            let _ = ui.add(button::quiet(ui, "Snooze"));
            ui.add_enabled(false, button::plain("Off"));
            key_hint::key_hint(ui, "Ctrl+K");
            ui.label("plain");
            ui.weak("weak");
            ui.hyperlink_to("a link", "http://127.0.0.1/");
            let mut is_on = true;
            ui.checkbox(&mut is_on, "ticked");
            let mut text = "typed".to_owned();
            let label = ui.label("Field");
            ui.add(egui::TextEdit::singleline(&mut text).desired_width(120.0)).labelled_by(label.id);
            let mut percent = 40.0;
            ui.add(egui::Slider::new(&mut percent, 0.0..=100.0).text("Share"));
        });
        ui.horizontal(|ui| {
            for mark in Mark::ALL {
                mark.ui(ui, tr);
                chip::chip(ui, mark, &mark.word(tr));
            }
        });
        card::frame(ui).inner_margin(0).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            row::head(
                ui,
                36.0,
                &[("Role", 90.0), ("", 14.0), ("Model", 160.0), ("State", 180.0), ("Last 24 hours", 0.0)],
            );
            for (index, (mark, name)) in
                [(Mark::Full, "GPT-5.6 Sol"), (Mark::Available, "Sonnet 5"), (Mark::Blocked, "Qwen3 Coder")]
                    .into_iter()
                    .enumerate()
            {
                let state = RowState { is_selected: index == 0, ..RowState::default() };
                row::row(ui, egui::Id::unique(name), name, size::ROW_TALL, state, |ui| {
                    row::column(ui, 90.0, |ui| ui.label(Type::Caption.text("Primary").color(palette.weak)));
                    mark.ui(ui, tr);
                    row::column(ui, 160.0, |ui| row::two_lines(ui, name, "Codex plan"));
                    row::column(ui, 180.0, |ui| ui.label(mark.word(tr)));
                    strip::strip(ui, &day(), name, Vec2::new(size::STRIP_WIDTH, size::STRIP), &TimeZone::UTC, tr);
                    let _ = ui.add(button::plain("Use"));
                });
            }
        });
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(300.0);
                card::card(ui, |ui| {
                    ui.label(Type::Heading.text("GPT-5.6 Sol"));
                    card::fact(ui, "Verdict", "At capacity, this model only");
                    card::fact(ui, "What helps", "another model, or waiting a while until it is free");
                    ui.separator();
                    card::section(ui, "Evidence");
                    card::evidence(
                        ui,
                        "14:26:02 session log, Codex 0.171\nserver_overloaded\nrule codex-server-overloaded",
                    );
                });
            });
            ui.vertical(|ui| {
                ui.set_width(560.0);
                ui.set_height(240.0);
                empty::empty(
                    ui,
                    "No targets yet",
                    "Vacancy has found two tools that you use.",
                    Some("Add from what was found"),
                );
            });
        });
    });
}

#[test]
fn every_widget_in_both_themes() {
    let mut results = SnapshotResults::new();
    for (theme, name) in [(Theme::Dark, "gallery-dark"), (Theme::Light, "gallery-light")] {
        let tr = Tr::new(Lang::English);
        let mut toasts = Toasts::default();
        toasts.push(Toast {
            mark: Some(Mark::Available),
            action: Some(("Use".to_owned(), ())),
            ..Toast::words("GPT-5.6 Sol is free again")
        });
        let mut harness = support::window::<()>(theme, [1180.0, 640.0]).build_ui(move |ui| {
            gallery(ui, &tr);
            toasts.show(ui.ctx(), size::STATUS, &tr);
        });
        harness.run();
        harness.get_by_label("GPT-5.6 Sol is free again");
        harness.get_by_label_contains("GPT-5.6 Sol, last 24 hours: free");
        harness.snapshot(name);
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}

#[test]
fn a_row_and_its_buttons_answer_apart() {
    let mut harness = support::window(Theme::Dark, [400.0, 100.0]).build_ui_state(
        |ui, clicks: &mut [u32; 2]| {
            let (response, pressed) = row::row(ui, egui::Id::unique("row"), "Luna", 60.0, RowState::default(), |ui| {
                ui.add(button::plain("Use")).clicked()
            });
            clicks[0] += u32::from(response.clicked());
            clicks[1] += u32::from(pressed);
        },
        [0; 2],
    );
    harness.run();
    harness.get_by_label("Use").click();
    harness.run();
    assert_eq!(*harness.state(), [0, 1]);
    harness.get_by_label("Luna").click();
    harness.run();
    assert_eq!(*harness.state(), [1, 1]);
}

#[test]
fn a_toast_gives_its_action_and_leaves() {
    let tr = Tr::new(Lang::English);
    let mut harness = support::window(Theme::Dark, [500.0, 200.0]).build_ui_state(
        move |ui, (toasts, pressed): &mut (Toasts<u8>, Option<u8>)| {
            if let Some(action) = toasts.show(ui.ctx(), size::STATUS, &tr) {
                *pressed = Some(action);
            }
        },
        (Toasts::default(), None),
    );
    harness.state_mut().0.push(Toast { action: Some(("Undo".to_owned(), 7)), ..Toast::words("Switched") });
    harness.run();
    harness.get_by_label("Undo").click();
    harness.run();
    assert_eq!(harness.state().1, Some(7));
    assert!(harness.query_by_label("Switched").is_none(), "a pressed toast is gone");
}

fn look(theme: Theme) -> impl Fn(&egui::Context) {
    move |ctx| theme::install(ctx, Look { theme: theme.into(), is_high_contrast: false, is_still: false })
}

#[test]
fn a_picture_is_the_same_every_time_and_has_its_size() {
    let tr = Tr::new(Lang::Chinese);
    let draw = || raster::render(look(Theme::Dark), Vec2::new(600.0, 300.0), 1.5, |ui| gallery(ui, &tr));
    let (one, other) = (draw(), draw());
    assert_eq!(one.dimensions(), (900, 450));
    assert!(one == other, "two runs give the same bytes");
    assert!(one.pixels().all(|pixel| pixel.0[3] == 255), "a picture is opaque");
}

#[test]
fn text_has_the_same_ink_at_every_scale() {
    let ink = |scale: f32| {
        let image = raster::render(look(Theme::Light), Vec2::new(120.0, 40.0), scale, |ui| {
            egui::CentralPanel::default().show(ui, |ui| ui.label(Type::Display.text("免费 HI")));
        });
        let darkest = image.pixels().map(|pixel| pixel.0[0]).min().unwrap();
        assert!(darkest < 60, "{scale}: strokes reach full ink, not {darkest}");
        let dark: f64 = image.pixels().map(|pixel| (250.0 - f64::from(pixel.0[1])).max(0.0) / 250.0).sum();
        dark / f64::from(scale * scale)
    };
    // In points: strokes neither vanish nor fill their boxes.
    let fine = ink(3.0);
    assert!((500.0..1200.0).contains(&fine), "{fine}");
    for scale in [1.0, 1.25, 2.0] {
        let share = ink(scale) / fine;
        assert!((0.9..1.12).contains(&share), "{scale}: {share}");
    }
}
