//! `[notices]`, `[context]`, `[ui]`, `[data]` and what is still to come.

use jiff::tz::TimeZone;

use crate::core::secretive::masked;
use crate::i18n::Lang;
use crate::settings::finding::{Noun, Problem};
use crate::settings::reader::{Reader, Section};
use crate::settings::{Context, Data, Notices, ThemeChoice, Ui};

pub(super) fn notices<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Notices {
    let usual = Notices::default();
    let Some(table) = reader.table(root, "notices") else { return usual };
    let section = reader.section("[notices]", table, &["recovered"]);
    Notices { recovered: reader.switch(&section, "recovered").unwrap_or(usual.recovered) }
}

pub(super) fn context<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Context {
    let usual = Context::default();
    let Some(table) = reader.table(root, "context") else { return usual };
    let section = reader.section("[context]", table, &["status_pages"]);
    Context { status_pages: reader.switch(&section, "status_pages").unwrap_or(usual.status_pages) }
}

pub(super) fn ui<'a>(reader: &mut Reader<'a>, root: &Section<'a>) -> Ui {
    let usual = Ui::default();
    let Some(table) = reader.table(root, "ui") else { return usual };
    let section = reader.section("[ui]", table, &["language", "theme", "zoom", "zone"]);
    let languages: Vec<(&str, Option<Lang>)> =
        [("system", None)].into_iter().chain(Lang::ALL.into_iter().map(|lang| (lang.tag(), Some(lang)))).collect();
    let language = reader.choice(&section, "language", Noun::Value, &languages).flatten();
    let theme = reader.choice(&section, "theme", Noun::Value, &ThemeChoice::ALL).unwrap_or(usual.theme);
    let (least, most) = (f64::from(*Ui::ZOOM.start()), f64::from(*Ui::ZOOM.end()));
    #[expect(clippy::cast_possible_truncation, reason = "checked to lie between 0.5 and 3")]
    let zoom = reader.decimal(&section, "zoom", least, most).map_or(usual.zoom, |zoom| zoom as f32);
    Ui { language, theme, zoom, zone: zone(reader, &section) }
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

/// `[switch.TOOL]` belongs to a later version: it must not look as if it worked.
pub(super) fn switch<'a>(reader: &mut Reader<'a>, root: &Section<'a>) {
    if let Some(table) = reader.table(root, "switch") {
        reader.report(table.span, Problem::NotYet { table: "switch".to_owned() });
    }
}
