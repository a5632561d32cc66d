//! Named sizes, in points. A place that needs another size needs another name here first.

use egui::{Color32, FontFamily, FontId, RichText, TextStyle, Ui};

/// Distances between and inside things.
pub mod space {
    /// Between a mark and its word, cell and cell.
    pub const TINY: f32 = 2.0;
    /// Inside chips and dense rows.
    pub const SMALL: f32 = 4.0;
    /// Between neighbours of one group.
    pub const BASE: f32 = 8.0;
    /// Between a label and its field's group, button padding.
    pub const MEDIUM: f32 = 12.0;
    /// Inside cards.
    pub const LARGE: f32 = 16.0;
    /// Between cards.
    pub const WIDE: f32 = 24.0;
    /// Around a page.
    pub const PAGE: f32 = 32.0;
}

/// Corner radii.
pub mod radius {
    /// Cells and marks.
    pub const CELL: u8 = 2;
    /// Buttons, fields, rail entries.
    pub const CONTROL: u8 = 4;
    /// Cards and dialogs.
    pub const CARD: u8 = 8;
}

/// Line widths.
pub mod stroke {
    /// Borders and separators.
    pub const HAIR: f32 = 1.0;
    /// Outlined marks.
    pub const MARK: f32 = 1.5;
    /// The keyboard focus.
    pub const FOCUS: f32 = 2.0;
}

/// Extents of things that repeat.
pub mod size {
    /// Height of a row of a list.
    pub const ROW: f32 = 28.0;
    /// Height of a dense row.
    pub const ROW_DENSE: f32 = 22.0;
    /// Height of a row with two lines and a strip, as on the Board.
    pub const ROW_TALL: f32 = 60.0;
    /// Smallest side of anything that can be clicked.
    pub const HIT: f32 = 24.0;
    /// Height of buttons and fields.
    pub const CONTROL: f32 = 30.0;
    /// Side of a family mark.
    pub const MARK: f32 = 14.0;
    /// Height of a 24-hour strip.
    pub const STRIP: f32 = 20.0;
    /// Least width of a 24-hour strip: two points and a gap a cell would need 288.
    pub const STRIP_WIDTH: f32 = 288.0;
    /// Width of the left rail.
    pub const RAIL: f32 = 196.0;
    /// Width of the left rail where there is little room.
    pub const RAIL_NARROW: f32 = 128.0;
    /// Width of the detail panel.
    pub const DETAIL: f32 = 304.0;
    /// Height of the status line.
    pub const STATUS: f32 = 28.0;
    /// Widest a line of running text gets.
    pub const TEXT_WIDTH: f32 = 560.0;
}

/// Motion.
pub mod motion {
    /// Length of a transition, in seconds. Nothing loops.
    pub const SECS: f32 = 0.12;
}

/// What a piece of text is, which decides its font and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Second lines, table heads, units: 12.
    Caption,
    /// Figures that matter where there is little room: 12 semi-bold.
    Figure,
    /// Running text: 14.
    Body,
    /// Names and what matters in a line: 14 semi-bold.
    Strong,
    /// The title of a card: 16 semi-bold.
    Heading,
    /// The title of a screen: 20 semi-bold.
    Title,
    /// The lighter half of a screen's title: 20.
    TitleLight,
    /// The headline of the Board and big figures: 28 semi-bold.
    Display,
    /// The lighter half of a headline: 28.
    DisplayLight,
    /// Ids, evidence and figures in columns: 12, fixed width.
    Mono,
}

impl Type {
    /// Every type.
    pub const ALL: [Self; 10] = [
        Self::Caption,
        Self::Figure,
        Self::Body,
        Self::Strong,
        Self::Heading,
        Self::Title,
        Self::TitleLight,
        Self::Display,
        Self::DisplayLight,
        Self::Mono,
    ];

    /// The name under which egui's style knows it.
    pub fn style(self) -> TextStyle {
        match self {
            Self::Caption => TextStyle::Small,
            Self::Figure => TextStyle::Name("figure".into()),
            Self::Body => TextStyle::Body,
            Self::Strong => TextStyle::Name("strong".into()),
            Self::Heading => TextStyle::Heading,
            Self::Title => TextStyle::Name("title".into()),
            Self::TitleLight => TextStyle::Name("title-light".into()),
            Self::Display => TextStyle::Name("display".into()),
            Self::DisplayLight => TextStyle::Name("display-light".into()),
            Self::Mono => TextStyle::Monospace,
        }
    }

    /// Its font and size.
    pub fn font(self) -> FontId {
        let strong = || FontFamily::Name(super::fonts::STRONG.into());
        match self {
            Self::Caption => FontId::proportional(12.0),
            Self::Figure => FontId::new(12.0, strong()),
            Self::Body => FontId::proportional(14.0),
            Self::Strong => FontId::new(14.0, strong()),
            Self::Heading => FontId::new(16.0, strong()),
            Self::Title => FontId::new(20.0, strong()),
            Self::TitleLight => FontId::proportional(20.0),
            Self::Display => FontId::new(28.0, strong()),
            Self::DisplayLight => FontId::proportional(28.0),
            Self::Mono => FontId::monospace(12.0),
        }
    }

    /// How wide words of this type are in one line, in points.
    pub fn width(self, ui: &Ui, words: impl Into<String>) -> f32 {
        ui.painter().layout_no_wrap(words.into(), self.font(), Color32::PLACEHOLDER).size().x
    }

    /// Text of this type.
    pub fn text(self, text: impl Into<String>) -> RichText {
        RichText::new(text).text_style(self.style())
    }
}
