//! Machine codes and types, folded (lower case, without `_`, `-` and spaces). An earlier file beats a later one.
//!
//! A dotted code is also tried without its last parts, and its last part alone. Numbers of some vendors have a name
//! space: `mm` MiniMax, `qf` Qianfan, `cf` Cloudflare's list of errors, `xf` the header of iFlytek.

mod likenesses;
mod limits;
mod permissions;
mod requests;
mod weak;

pub(super) use likenesses::LIKENESSES;
pub(super) use limits::LIMITS;
pub(super) use permissions::PERMISSIONS;
pub(super) use requests::REQUESTS;
pub(super) use weak::WEAK;
