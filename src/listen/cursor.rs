//! How far a log was read, so that reading can go on there: after a restart, a move, a rotation.

use std::hash::{DefaultHasher, Hasher as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::form::Carry;
use super::observation::{Name, Tool};

/// The place in a log, with what has to be known to go on there. Holds no text but the names of provider and model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Bytes that were read, up to the end of a line; of a compressed file those of its content.
    #[serde(rename = "o")]
    pub offset: u64,
    /// Where reading began: what is before was never read.
    #[serde(rename = "f", default, skip_serializing_if = "is_zero")]
    pub from: u64,
    /// Bytes of the beginning that `head` is of.
    #[serde(rename = "n")]
    head_len: usize,
    /// What the file began with, as a number.
    #[serde(rename = "h")]
    head: u64,
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
    #[serde(rename = "m", default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    out_total: Option<u64>,
}

impl Cursor {
    /// What the names of cursors begin with among our values in the database.
    pub const PREFIX: &'static str = "log.";

    /// Bytes of a file's beginning that tell it from another one in the same place.
    pub const HEAD: usize = 1024;

    /// A cursor of a file that begins with `head`.
    pub fn new(head: &[u8], from: u64, offset: u64, carry: &Carry) -> Self {
        let head = &head[..head.len().min(Self::HEAD)];
        let text = |name: &Option<Name>| name.as_ref().map(|name| name.as_str().to_owned());
        Self {
            offset,
            from,
            head_len: head.len(),
            head: hash(head),
            provider: text(&carry.provider),
            model: text(&carry.model),
            out_total: carry.out_total,
        }
    }

    /// Whether it is of the file that begins with `head` and has `len` bytes now: not of one that was cut short or that
    /// took its place.
    pub fn is_of(&self, head: &[u8], len: Option<u64>) -> bool {
        head.get(..self.head_len).is_some_and(|head| hash(head) == self.head)
            && len.is_none_or(|len| len >= self.offset)
    }

    /// What has to be known to go on.
    pub fn carry(&self) -> Carry {
        let name = |text: &Option<String>| text.as_deref().and_then(Name::new);
        Carry { provider: name(&self.provider), model: name(&self.model), out_total: self.out_total }
    }

    /// The name under which the cursor of a file is kept. A Codex rollout keeps it when it is archived or compressed.
    pub fn key(tool: Tool, path: &Path) -> String {
        let mut hasher = DefaultHasher::new();
        hasher.write(tool.name().as_bytes());
        match path.file_name().and_then(|name| name.to_str()).filter(|_| tool == Tool::Codex) {
            Some(name) => hasher.write(name.strip_suffix(".zst").unwrap_or(name).as_bytes()),
            None => hasher.write(path.as_os_str().as_encoded_bytes()),
        }
        format!("{:016x}", hasher.finish())
    }

    /// As it is kept.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads one that was kept; one that is not understood is none, and the file is read again.
    pub fn from_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde wants it")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}
