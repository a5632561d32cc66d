//! What a source says of a target, and how a document is read for it. Pure.

use jiff::Timestamp;

use super::sources::Concern;
use crate::core::outcome::Kind;
use crate::listen::pages::{Source, Style};
use crate::listen::{Form, Name, Observation, Upstreams, upstreams};

/// Parts in trouble that are kept of one page.
const MOST_PARTS: usize = 8;

/// Whose word it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The provider's status page, by the address for people.
    Page(&'static str),
    /// OpenRouter's statistics of the model.
    OpenRouter,
}

/// What one source says of one target.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// Whose word it is.
    pub origin: Origin,
    /// The word.
    pub says: Says,
    /// When it was asked last; `None` is not yet, or never.
    pub checked_at: Option<Timestamp>,
}

/// What it says.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// All parts that concern the target are well.
    Good {
        /// How many.
        parts: usize,
        /// Parts that we look for and that the page does not name any more.
        missing: Vec<&'static str>,
    },
    /// A page that only tells troubles tells none.
    NothingReported,
    /// These parts are not well.
    Trouble(Vec<Part>),
    /// How a model's upstreams do.
    Upstreams(Upstreams),
    /// Nothing that counts as up or down.
    Unknown(Silence),
    /// The page is not for programs: only its address is known.
    Link,
}

/// A part of a page that is not well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As the page calls it.
    pub name: Name,
    /// The page's own word for its state.
    pub status: Name,
}

/// Why a source says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It was not asked yet.
    NotAsked,
    /// It did not answer, or not in time, or refused.
    NoAnswer,
    /// It sends us to another place: the page has moved.
    Moved,
    /// Its answer is none that we know how to read.
    NotUnderstood,
    /// It names none of the parts that concern the target.
    NoSuchPart,
}

/// Reads a page; `None` is what is not understood, and so neither up nor down.
pub fn read_page(source: &Source, document: &[u8]) -> Option<Vec<Observation>> {
    let form = match source.style {
        Style::Summary => Form::StatusSummary,
        Style::GoogleIncidents => Form::StatusGoogle,
        Style::BetterStack => Form::StatusBetterStack,
        Style::Feed => Form::StatusFeed,
        Style::Link => return None,
    };
    let observations = form.document(document);
    // Lists of troubles may be empty while all is well; a list of parts may not.
    let may_be_empty = matches!(form, Form::StatusGoogle | Form::StatusFeed);
    let is_that_form = || Form::detect(&document[..document.len().min(Form::HEAD)], None) == Some(form);
    (!observations.is_empty() || may_be_empty && is_that_form()).then_some(observations)
}

/// What a page's parts say of a target.
pub fn judge_page(source: &Source, concern: &Concern, parts: &[Observation]) -> Says {
    let parts: Vec<_> = parts.iter().filter_map(|part| Some((part.component.as_ref()?, part.kind))).collect();
    let concerning: Vec<_> = parts.iter().filter(|(part, _)| concern.covers(part.name.as_str())).collect();
    let trouble: Vec<Part> = concerning
        .iter()
        .filter(|(_, kind)| *kind == Kind::ServerError)
        .take(MOST_PARTS)
        .map(|(part, _)| Part { name: part.name.clone(), status: part.status.clone() })
        .collect();
    let tells_only_trouble = matches!(source.style, Style::GoogleIncidents | Style::Feed);
    if !trouble.is_empty() {
        return Says::Trouble(trouble);
    }
    if concerning.iter().any(|(_, kind)| *kind != Kind::Available) {
        return Says::Unknown(Silence::NotUnderstood);
    }
    if tells_only_trouble {
        return Says::NothingReported;
    }
    if concerning.is_empty() {
        return Says::Unknown(Silence::NoSuchPart);
    }
    let names = || parts.iter().map(|(part, _)| part.name.as_str());
    let missing = concern.parts.iter().filter(|start| !names().any(|name| begins(name, start))).copied();
    Says::Good { parts: concerning.len(), missing: missing.collect() }
}

/// What OpenRouter's statistics say.
pub fn judge_upstreams(document: &[u8]) -> Says {
    upstreams(document).map_or(Says::Unknown(Silence::NotUnderstood), Says::Upstreams)
}

/// Whether a name begins with some letters, in any case.
pub(super) fn begins(name: &str, start: &str) -> bool {
    name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}
