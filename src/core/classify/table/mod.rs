//! The built-in rules, as data. Within a stage an earlier row beats a later one.
//!
//! To add a rule: put a row where it belongs, with a new id: a machine code into `names`, words into `phrases`. Ids are
//! stored with samples: never rename or reuse one.

mod first;
mod generic;
mod names;
mod pages;
mod phrases;
mod statuses;
mod subjects;
mod transport;

use crate::core::classify::rule::{Rule, Stage};

/// Every stage with its rules, in the order in which they are tried.
pub const TABLE: &[(Stage, &[Rule])] = &[
    (Stage::First, first::FIRST),
    (Stage::Name, names::LIMITS),
    (Stage::Name, names::PERMISSIONS),
    (Stage::Name, names::REQUESTS),
    (Stage::Name, names::LIKENESSES),
    (Stage::Phrase, phrases::LIMITS),
    (Stage::Phrase, phrases::KEYS),
    (Stage::Phrase, phrases::MODELS),
    (Stage::Phrase, phrases::PERMISSIONS),
    (Stage::Phrase, phrases::REQUESTS),
    (Stage::Phrase, phrases::CAPACITY),
    (Stage::Subject, subjects::SUBJECTS),
    (Stage::Generic, generic::GENERIC),
    (Stage::WeakName, names::WEAK),
    (Stage::Status, statuses::STATUSES),
    (Stage::Page, pages::PAGES),
    (Stage::Transport, transport::TRANSPORT),
];

/// Replies whose whole trimmed text is one of these are refusals that a relay passed off as an answer. A text that
/// only contains one is an answer.
pub const REFUSALS: &[&str] = &[
    "Selected model is at capacity. Please try a different model.",
    "The selected model is at capacity. Please try a different model.",
    "Our servers are currently overloaded. Please try again later.",
    "The model is overloaded. Please try again later.",
    "The model is currently overloaded. Please try again later.",
    "This model is currently overloaded. Please try again later.",
    "That model is currently overloaded with other requests. You can retry your request, or contact us through our help center at help.openai.com if the error persists.",
    "This model is currently experiencing high demand. Spikes in demand are usually temporary. Please try again later.",
    "We're currently experiencing high demand, which may cause temporary errors.",
    "We are currently experiencing high demand. Please try another model.",
    "The engine is currently overloaded, please try again later",
    "The server is busy. Please try again later.",
    "Service is too busy. We advise users to temporarily switch to alternative LLM API service providers.",
    "Sorry, the model is at capacity right now. Please try again later.",
    "No capacity available for this model. Please try again later.",
    "当前分组上游负载已饱和，请稍后再试",
    "该模型当前访问量过大，请您稍后再试",
    "服务器繁忙，请稍后再试。",
    "当前模型负载过高，请稍后再试",
    "模型服务繁忙，请稍后再试",
];
