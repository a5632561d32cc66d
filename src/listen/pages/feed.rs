//! Pages as RSS or Atom: the newest entry of each component.

use std::collections::HashSet;

use jiff::Timestamp;

use super::component;
use crate::listen::observation::{Name, Observation};

/// Entries read of a feed; older ones are history.
const MOST_ENTRIES: usize = 50;

/// Reads a feed. An entry's component is what stands in brackets before its title (`[API (us-east-1.api.x.ai)] …`), else
/// the feed itself; its state is the word after `Status:` in its text, or `[RESOLVED]` in its title.
pub(in crate::listen) fn feed(document: &[u8]) -> Vec<Observation> {
    let Ok(text) = std::str::from_utf8(document) else { return Vec::new() };
    let tag = if text.contains("<item") { "<item" } else { "<entry" };
    let mut parts = text.split(tag);
    let page = parts.next().and_then(|head| element(head, "title")).unwrap_or_default();
    let mut told = HashSet::new();
    let mut out = Vec::new();
    for entry in parts.take(MOST_ENTRIES) {
        let title = element(entry, "title").unwrap_or_default();
        let (name, title) = match title.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((name, rest)) if !is_resolved(name) => (name, rest),
            _ => (page, title),
        };
        let Some(name) = Name::new(name) else { continue };
        if !told.insert(name.clone()) {
            continue;
        }
        let body = ["description", "content", "summary"].iter().find_map(|tag| element(entry, tag));
        let status = match body.and_then(state) {
            Some(word) => word.to_ascii_lowercase(),
            None if is_resolved(title) || body.is_some_and(is_resolved) => "resolved".to_owned(),
            None => "unknown".to_owned(),
        };
        out.extend(component(time(entry), Some(name), &status));
    }
    out
}

fn is_resolved(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("resolved") || text.contains("operating normally")
}

/// The text of the first such element, without the mark of a literal section.
fn element<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{tag}"))?;
    let (attributes, rest) = rest.split_once('>')?;
    if !attributes.is_empty() && !attributes.starts_with(char::is_whitespace) {
        return None;
    }
    let (inner, _) = rest.split_once(&format!("</{tag}"))?;
    let inner = inner.trim();
    Some(inner.strip_prefix("<![CDATA[").and_then(|inner| inner.strip_suffix("]]>")).unwrap_or(inner).trim())
}

/// The word after `Status:`.
fn state(body: &str) -> Option<&str> {
    let (_, rest) = body.split_once("Status:")?;
    // Markup may stand between the label and the word.
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('<') {
        Some(tag) => tag.split_once('>')?.1.trim_start(),
        None => rest,
    };
    rest.split(|c: char| !c.is_ascii_alphabetic() && c != '_').next().filter(|word| !word.is_empty())
}

fn time(entry: &str) -> Option<Timestamp> {
    let text = ["pubDate", "updated", "published"].iter().find_map(|tag| element(entry, tag))?;
    let parsed = text.parse().ok();
    parsed.or_else(|| jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp()))
}
