//! What a model's name tells before the first request.
//!
//! The table is read from the top and the first match wins; a wrong guess costs one corrected request
//! ([`crate::wire::tuning::adapt`]), never a wrong verdict.

/// What is known of a model by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Answers at once.
    Plain,
    /// OpenAI's newer models: they answer at once but know the cap as `max_completion_tokens` alone.
    PlainCompletion,
    /// Thinks before it answers.
    Thinks,
    /// OpenAI's thinking models: `max_completion_tokens`, and they know `low` effort.
    ThinksLow,
    /// OpenAI's thinking models that take no choice of effort.
    ThinksCompletion,
    /// Anthropic's: they think only when asked to, and take a cap of one token.
    Claude,
    /// Not in the table.
    Unknown,
}

/// How a row is compared with the name.
#[derive(Clone, Copy, Debug)]
enum Match {
    /// The name starts with it.
    Start(&'static str),
    /// The name contains it.
    Part(&'static str),
}

use Class::{Claude, Plain, PlainCompletion, Thinks, ThinksCompletion, ThinksLow};
use Match::{Part, Start};

/// Name patterns in lower case, without vendor prefix and variant suffix.
const TABLE: &[(Match, Class)] = &[
    // Said in the name, whoever made it.
    (Part("non-reasoning"), Plain),
    (Part("non-thinking"), Plain),
    (Part("no-think"), Plain),
    // OpenAI
    (Start("o1-mini"), ThinksCompletion),
    (Start("o1-preview"), ThinksCompletion),
    (Start("o1-pro"), ThinksCompletion),
    (Part("deep-research"), ThinksCompletion),
    (Start("o1"), ThinksLow),
    (Start("o3"), ThinksLow),
    (Start("o4"), ThinksLow),
    (Start("gpt-oss"), Thinks),
    (Start("gpt-3"), Plain),
    (Start("gpt-4"), Plain),
    (Start("chatgpt-4o"), Plain),
    (Start("codex-mini"), ThinksCompletion),
    // The `-chat` and `-pro` variants of every later generation differ from the plain name.
    (Start("gpt-5-chat"), PlainCompletion),
    (Start("gpt-5-pro"), ThinksCompletion),
    (Start("gpt-5"), ThinksLow),
    (Start("gpt-6"), ThinksCompletion),
    (Start("gpt-7"), ThinksCompletion),
    // Anthropic
    (Start("claude"), Claude),
    // Google
    (Start("gemini-1"), Plain),
    (Start("gemini-2.0-flash-thinking"), Thinks),
    (Start("gemini-2.0"), Plain),
    (Start("gemini"), Thinks),
    (Start("gemma"), Plain),
    // Thinking by name
    (Part("thinking"), Thinks),
    (Part("reasoner"), Thinks),
    (Part("reasoning"), Thinks),
    (Start("qwq"), Thinks),
    (Start("qvq"), Thinks),
    (Start("magistral"), Thinks),
    (Part("deepseek-r"), Thinks),
    (Start("deepseek-v4"), Thinks),
    (Start("deepseek"), Plain),
    (Start("grok-3-mini"), Thinks),
    (Start("grok-4"), Thinks),
    (Start("grok-5"), Thinks),
    (Start("grok"), Plain),
    (Start("sonar"), Plain),
    // Alibaba: the open Qwen 3 models think unless their name says instruct or coder; the hosted ones only when asked.
    (Part("instruct"), Plain),
    (Start("qwen3-coder"), Plain),
    (Start("qwen3-max"), Plain),
    (Start("qwen3"), Thinks),
    (Start("qwen"), Plain),
    // Zhipu: generation 4.5 and later thinks by default.
    (Start("glm-z1"), Thinks),
    (Start("glm-4.5"), Thinks),
    (Start("glm-4.6"), Thinks),
    (Start("glm-4.7"), Thinks),
    (Start("glm-4"), Plain),
    (Start("glm-"), Thinks),
    // Moonshot
    (Start("moonshot-v1"), Plain),
    (Start("kimi-k2-0"), Plain),
    (Start("kimi-k2-turbo"), Plain),
    (Start("kimi"), Thinks),
    // Others
    (Start("minimax-m"), Thinks),
    (Start("minimax-text"), Plain),
    (Start("abab"), Plain),
    (Start("doubao-seed"), Thinks),
    (Start("doubao"), Plain),
    (Start("ernie-x"), Thinks),
    (Start("ernie"), Plain),
    (Start("hunyuan-t1"), Thinks),
    (Start("hunyuan-a13b"), Thinks),
    (Start("hunyuan"), Plain),
    (Start("step-3"), Thinks),
    (Start("step-r"), Thinks),
    (Start("step-"), Plain),
    (Part("nemotron"), Thinks),
    (Start("exaone-deep"), Thinks),
    (Start("llama"), Plain),
    (Start("meta-llama"), Plain),
    (Start("mistral"), Plain),
    (Start("mixtral"), Plain),
    (Start("ministral"), Plain),
    (Start("codestral"), Plain),
    (Start("devstral"), Plain),
    (Start("pixtral"), Plain),
    (Start("open-mi"), Plain),
    (Start("command-a-reasoning"), Thinks),
    (Start("command"), Plain),
    (Start("phi-"), Plain),
    (Start("yi-"), Plain),
];

impl Class {
    /// What the name tells. A vendor prefix (`openai/`), a folder (`models/`) and a variant (`:free`, `:7b`) are no part
    /// of it.
    pub fn of(model: &str) -> Self {
        let name = model.rsplit('/').next().unwrap_or(model);
        let name = name.split(':').next().unwrap_or(name).to_ascii_lowercase();
        TABLE
            .iter()
            .find(|(pattern, _)| match pattern {
                Start(text) => name.starts_with(text),
                Part(text) => name.contains(text),
            })
            .map_or(Self::Unknown, |(_, class)| *class)
    }

    /// Whether it thinks before it answers.
    pub const fn thinks(self) -> bool {
        matches!(self, Self::Thinks | Self::ThinksLow | Self::ThinksCompletion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_class() {
        for (model, class) in [
            ("gpt-4o-mini", Plain),
            ("openai/gpt-5.2-codex", ThinksLow),
            ("gpt-5-chat-latest", PlainCompletion),
            ("o3-deep-research", ThinksCompletion),
            ("o4-mini", ThinksLow),
            ("models/gemini-2.5-pro", Thinks),
            ("gemini-2.0-flash", Plain),
            ("anthropic/claude-sonnet-4.5", Claude),
            ("deepseek/deepseek-r1:free", Thinks),
            ("deepseek-chat", Plain),
            ("deepseek-reasoner", Thinks),
            ("deepseek-r1-distill-llama-70b", Thinks),
            ("Qwen/Qwen3-235B-A22B-Instruct-2507", Plain),
            ("qwen3-235b-a22b-thinking-2507", Thinks),
            ("qwen3:8b", Thinks),
            ("grok-4-fast-non-reasoning", Plain),
            ("kimi-k2-0905-preview", Plain),
            ("zai-org/GLM-4.6", Thinks),
            ("MiniMax-M2", Thinks),
            ("llama3.2:1b", Plain),
            ("my-own-finetune", Class::Unknown),
            ("", Class::Unknown),
        ] {
            assert_eq!(Class::of(model), class, "{model}");
        }
    }
}
