//! What is learnt about a model's request: which cap, under which name, and which fields to leave out.

use crate::core::target::{Dialect, ModelId};

/// The adjustable part of a probe's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Tokens the answer may have; billed is what is generated, not this.
    pub cap: u32,
    /// The cap's name in the chat dialect.
    pub cap_field: CapField,
    /// Thinking effort to ask for, where the model is known to know it.
    pub effort: Option<&'static str>,
    /// Ask for a stream, so that the time to the first token is known.
    pub stream: bool,
    /// Say `store: false` in the responses dialect.
    pub store: bool,
    /// The model thinks before it answers: longer deadlines.
    pub thinks: bool,
}

/// The name of the output cap in `openai-chat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapField {
    /// `max_tokens`: nearly everyone.
    MaxTokens,
    /// `max_completion_tokens`: OpenAI's thinking models refuse the other.
    MaxCompletionTokens,
}

impl Tuning {
    /// What a model's name tells before the first request.
    pub fn guess(_dialect: Dialect, _model: &ModelId) -> Self {
        Self { cap: 64, cap_field: CapField::MaxTokens, effort: None, stream: true, store: true, thinks: false }
    }
}
