//! The icon in the tray: what it looks like is given, what is done with it is told.

#[cfg(target_os = "linux")]
mod status_notifier;
#[cfg(target_os = "linux")]
pub use status_notifier::start;

#[cfg(any(target_os = "macos", windows))]
mod native;
#[cfg(any(target_os = "macos", windows))]
pub use native::Native;

/// A square picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Width and height in pixels.
    pub side: u32,
    /// Red, green, blue, opacity of each pixel, row by row.
    pub rgba: Vec<u8>,
}

/// A line of the menu.
#[derive(Clone, Debug, PartialEq)]
pub enum Item<Act> {
    /// A line between groups.
    Separator,
    /// Something to choose.
    Line {
        /// In words.
        label: String,
        /// What choosing it means; `None` cannot be chosen.
        act: Option<Act>,
        /// A small picture before the words.
        icon: Option<Pixels>,
        /// Whether it has a tick; `None` can have none.
        is_ticked: Option<bool>,
    },
    /// A menu of its own.
    Menu {
        /// In words.
        label: String,
        /// What is in it.
        items: Vec<Self>,
    },
}

/// Everything that is seen of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Look<Act> {
    /// The picture in the sizes that panels use, smallest first.
    pub icons: Vec<Pixels>,
    /// The program's name.
    pub title: String,
    /// The state in words.
    pub tooltip: String,
    /// The menu.
    pub menu: Vec<Item<Act>>,
}

/// What the tray tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Told<Act> {
    /// There is a tray that shows the icon, or none.
    Present(bool),
    /// The icon itself was clicked.
    Clicked,
    /// A line of the menu was chosen.
    Chosen(Act),
}

/// Where looks come from. Works on the tray's thread.
pub trait Source: Send + 'static {
    /// What a line of the menu means.
    type Act: Clone + PartialEq + Send + Sync + 'static;

    /// What is to be seen now; `None` is no icon.
    fn look(&mut self) -> Option<Look<Self::Act>>;

    /// Waits for something to change; `false` ends the tray.
    fn changed(&mut self) -> impl Future<Output = bool> + Send;
}
