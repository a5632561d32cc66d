//! Whose rules apply to the files of tools.

/// An operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "shell", derive(clap::ValueEnum))]
pub enum Platform {
    /// XDG folders.
    Linux,
    /// `~/Library`.
    Macos,
    /// `%APPDATA%`.
    Windows,
}

impl Platform {
    /// The system this program was built for.
    pub const fn here() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Macos
        } else {
            Self::Linux
        }
    }
}
