//! The widgets that several screens share. Each has an accessible name and takes its looks from `ui::theme`.

pub mod access;
pub mod button;
pub mod card;
pub mod chip;
pub mod diff;
pub mod empty;
pub mod icon;
pub mod key_hint;
pub mod list;
pub mod logo;
pub mod mark;
pub mod name;
pub mod row;
pub mod rows;
pub mod sides;
pub mod strip;
pub mod tick;
pub mod toast;
