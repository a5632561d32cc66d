//! Phrases in an error's text that leave no doubt, lower case, by what they speak of. An earlier file beats a later one.

mod capacity;
mod keys;
mod limits;
mod models;
mod permissions;
mod requests;

pub(super) use capacity::CAPACITY;
pub(super) use keys::KEYS;
pub(super) use limits::LIMITS;
pub(super) use models::MODELS;
pub(super) use permissions::PERMISSIONS;
pub(super) use requests::REQUESTS;
