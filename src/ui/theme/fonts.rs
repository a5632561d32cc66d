//! The fonts: Inter for text, Hack for figures and ids, a cut of Noto Sans SC for Chinese.
//!
//! All are built in, so the program looks the same everywhere and the first frame waits for nothing. The Chinese cut holds
//! the catalogue's characters and the first level of GB 2312; what users and providers write beyond that is left to
//! eframe's provider of system fonts, which is asked only for characters that none of these has.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

/// Name of the semi-bold family.
pub const STRONG: &str = "strong";

const REGULAR: &[u8] = include_bytes!("../../../assets/fonts/Inter-Regular.otf");
const SEMI_BOLD: &[u8] = include_bytes!("../../../assets/fonts/Inter-SemiBold.otf");
const CHINESE: &[u8] = include_bytes!("../../../assets/fonts/NotoSansSC-Regular-subset.otf");
const CHINESE_BOLD: &[u8] = include_bytes!("../../../assets/fonts/NotoSansSC-Bold-subset.otf");

/// The families: ours first, egui's own after them for the few signs that ours lack.
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let own = [
        ("Inter", REGULAR),
        ("Inter SemiBold", SEMI_BOLD),
        ("Noto Sans SC", CHINESE),
        ("Noto Sans SC Bold", CHINESE_BOLD),
    ];
    for (name, data) in own {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(data)));
    }
    let fallback = fonts.families.remove(&FontFamily::Proportional).unwrap_or_default();
    let family = |own: &[&str]| own.iter().map(|&name| name.to_owned()).chain(fallback.clone()).collect::<Vec<_>>();
    fonts.families.insert(FontFamily::Proportional, family(&["Inter", "Noto Sans SC"]));
    fonts.families.insert(FontFamily::Name(STRONG.into()), family(&["Inter SemiBold", "Noto Sans SC Bold"]));
    fonts.families.insert(FontFamily::Monospace, family(&["Hack", "Inter", "Noto Sans SC"]));
    fonts
}
