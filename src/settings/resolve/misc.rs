//! `[notices]`, `[context]`, `[metrics]`, `[background]`, `[ui]` and `[data]`.

use std::time::Duration;

use jiff::tz::TimeZone;

use super::elsewhere;
use crate::core::alert::{About, AlertConfig, QuietHours};
use crate::core::secretive::masked;
use crate::i18n::Lang;
use crate::metrics::address;
use crate::settings::finding::{Noun, Problem};
use crate::settings::reader::{Reader, Section, find};
use crate::settings::{Background, Close, Context, Data, Metrics, Notices, ThemeChoice, Ui};

const NOTICES: [&str; 11] = [
    "about",
    "recovered",
    "full",
    "limits",
    "provider",
    "flapping",
    "reminders",
    "quiet",
    "do_not_disturb",
    "hook",
    "webhook",
];

/// Bounds of `reminders`: more often is nagging, more seldom is none.
const REMINDERS: (Duration, Duration) = (Duration::from_secs(5 * 60), Duration::from_secs(86_400));

pub(super) fn notices<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Notices {
    let usual = Notices::default();
    let Some(table) = reader.table(root, "notices") else { return usual };
    let section = reader.section("[notices]", table, &NOTICES);
    Notices {
        hook: elsewhere::hook(reader, &section),
        webhook: elsewhere::webhook(reader, &section),
        alert: alert(reader, &section),
    }
}

fn alert<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> AlertConfig {
    let usual = AlertConfig::default();
    let mut switch = |key, usual| reader.switch(section, key).unwrap_or(usual);
    let config = AlertConfig {
        recovered: switch("recovered", usual.recovered),
        full: switch("full", usual.full),
        limits: switch("limits", usual.limits),
        provider: switch("provider", usual.provider),
        flapping: switch("flapping", usual.flapping),
        do_not_disturb: switch("do_not_disturb", usual.do_not_disturb),
        ..usual
    };
    let (least, most) = REMINDERS;
    AlertConfig {
        about: reader.choice(section, "about", Noun::Value, &About::ALL).unwrap_or(config.about),
        reminders: reader.duration(section, "reminders", least, most).map(|every| every.value),
        quiet: quiet(reader, section),
        ..config
    }
}

/// `quiet = "22:00-07:00"`, or a list of such texts.
fn quiet<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Vec<QuietHours> {
    let texts = match find(section, "quiet") {
        Some((item, _)) if item.is_str() => reader.text(section, "quiet").into_iter().collect(),
        Some(_) => reader.texts(section, "quiet").map(|texts| texts.value).unwrap_or_default(),
        None => Vec::new(),
    };
    let mut hours = Vec::new();
    for text in texts {
        match QuietHours::parse(text.value) {
            Some(read) => hours.push(read),
            None => reader.report(text.span, Problem::BadHours { hours: masked(text.value) }),
        }
    }
    hours
}

pub(super) fn context<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Context {
    let usual = Context::default();
    let Some(table) = reader.table(root, "context") else { return usual };
    let section = reader.section("[context]", table, &["status_pages"]);
    Context { status_pages: reader.switch(&section, "status_pages").unwrap_or(usual.status_pages) }
}

pub(super) fn metrics<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Metrics {
    let usual = Metrics::default();
    let Some(table) = reader.table(root, "metrics") else { return usual };
    let section = reader.section("[metrics]", table, &["listen"]);
    let Some(listen) = reader.text(&section, "listen") else { return usual };
    let parsed = address::parse(listen.value).ok();
    if parsed.is_none() {
        reader.report(listen.span, Problem::BadListen { address: masked(listen.value) });
    }
    Metrics { listen: parsed }
}

pub(super) fn background<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Background {
    let usual = Background::default();
    let Some(table) = reader.table(root, "background") else { return usual };
    let section = reader.section("[background]", table, &["close", "start_hidden", "tray"]);
    Background {
        close: reader.choice(&section, "close", Noun::Value, &Close::ALL).unwrap_or(usual.close),
        start_hidden: reader.switch(&section, "start_hidden").unwrap_or(usual.start_hidden),
        tray: reader.switch(&section, "tray").unwrap_or(usual.tray),
    }
}

pub(super) fn ui<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Ui {
    let usual = Ui::default();
    let Some(table) = reader.table(root, "ui") else { return usual };
    let section =
        reader.section("[ui]", table, &["language", "theme", "high_contrast", "reduced_motion", "zoom", "zone"]);
    let languages: Vec<(&str, Option<Lang>)> =
        [("system", None)].into_iter().chain(Lang::ALL.map(|lang| (lang.tag(), Some(lang)))).collect();
    let language = reader.choice(&section, "language", Noun::Value, &languages).flatten();
    let theme = reader.choice(&section, "theme", Noun::Value, &ThemeChoice::ALL).unwrap_or(usual.theme);
    let (least, most) = (*Ui::ZOOM.start(), *Ui::ZOOM.end());
    #[expect(clippy::cast_possible_truncation, reason = "checked to lie between 0.8 and 2")]
    let zoom = reader.decimal(&section, "zoom", least, most).map_or(usual.zoom, |zoom| zoom as f32);
    let high_contrast = reader.switch(&section, "high_contrast").unwrap_or(usual.high_contrast);
    let reduced_motion = reader.switch(&section, "reduced_motion").unwrap_or(usual.reduced_motion);
    Ui { language, theme, high_contrast, reduced_motion, zoom, zone: zone(reader, &section) }
}

fn zone<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Option<TimeZone> {
    let name = reader.text(section, "zone")?;
    if name.value == "system" {
        return None;
    }
    let zone = TimeZone::get(name.value).ok();
    if zone.is_none() {
        reader.report(name.span, Problem::BadZone { zone: masked(name.value) });
    }
    zone
}

pub(super) fn data<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Data {
    let usual = Data::default();
    let Some(table) = reader.table(root, "data") else { return usual };
    let section = reader.section("[data]", table, &["keep_days"]);
    let days = reader.number(&section, "keep_days", 7..36_501).and_then(|days| u32::try_from(days.value).ok());
    Data { keep_days: days.unwrap_or(usual.keep_days) }
}
