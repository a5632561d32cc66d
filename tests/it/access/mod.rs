//! Whether everyone can use the window: the tree that a screen reader walks, the keyboard, zoom, words in every language.
//!
//! Every rule is held against every scene of `scenes`, so that a screen added there is held to all of them.

mod arrows;
mod cut;
mod dialogs;
mod keyboard;
mod scenes;
mod tree;
mod words;
mod zoom;
