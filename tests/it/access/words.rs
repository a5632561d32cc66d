//! Words: nothing is shown that is not of the catalogue, and nothing is cut where the window is smallest.

use std::sync::LazyLock;

use regex::Regex;
use vacancy::i18n::{Lang, Tr};
use vacancy::wire::presets::Preset;

use super::scenes::{LARGE, SMALL, Setting, each};
use super::tree::{name, nodes};
use crate::screens::behaviour::drawn;
use crate::support::chinese;

/// What stands in files, answers and on keyboards, and so in no language.
const DATA: &str = r"(?x)^(?:
      [^\p{Alphabetic}]*                                          # figures and signs
    | (?:\d+\ )?(?:gpt|claude|deepseek|glm|qwen|llama|model)[\w.:/…-]*(?:\ ·\ [\w-]+)?   # models, with their provider too
    | (?:codex|claude-code|opencode|anthropic|zhipu|openrouter|lm-studio|provider|relay|luna|mini|openai|plan)(?:-plan)?(?:/[\w.:-]+)?
    | (?:Codex|Claude\ Code|opencode|OpenAI|Vacancy)
    | a-(?:very|provider)[\w…-]*
    | [通阿][\w…]*
    | (?:luna|mini)\ ·\ gpt-6-\w+ | no\ such | zzzz | [A-Z]+(?:_[A-Z]+)+ | \d+[ms] | every | main
    | (?:Ctrl\+\S+|F1|F5|Esc|Escape|Enter|Tab)
    | [~/][\w./\ -]*(?:\s\s\s.*)?
    | [+\ -]\ .*                                                    # lines of a diff
    | .*unknown\ key.*
    | (?:https?|socks5h)://.* | X-Team:\ blue | api-version.*       # what a field takes
    | (?:127\.0\.0\.1|[\w.-]+\.(?:com|ai|toml|json)).*
    | UTC | h
    )$";

/// Whether a text is of the catalogue, or data.
pub fn is_worded(text: &str) -> bool {
    let is_bracketed = text.contains('[') && (text.contains(']') || text.contains('…'));
    is_bracketed || is_data(text)
}

/// Whether a text has no word of ours: a name of the user's, a figure, a path.
pub fn is_data(text: &str) -> bool {
    static DATA_ALONE: LazyLock<Regex> = LazyLock::new(|| Regex::new(DATA).unwrap());
    text.lines().all(|line| DATA_ALONE.is_match(line) || Preset::all().any(|preset| preset.name == line))
}

#[test]
fn every_word_is_of_the_catalogue() {
    let mut all = std::collections::BTreeSet::new();
    for size in [SMALL, LARGE] {
        let setting = Setting { size, ..Setting::new(Tr::pseudo()) };
        each(&setting, |scene| {
            for text in drawn(&scene.harness) {
                if !is_worded(&text) {
                    all.insert(format!("{}: {text:?}", scene.name));
                }
            }
            for node in nodes(scene.harness.kittest_state().root()) {
                let name = name(&node);
                if !is_worded(&name) {
                    all.insert(format!("{}: {:?} is named {name:?}", scene.name, node.role()));
                }
            }
        });
    }
    assert!(all.is_empty(), "not of the catalogue:\n{}", all.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn chinese_is_set_as_chinese_is_on_every_screen() {
    let mut all = std::collections::BTreeSet::new();
    let setting = Setting { size: LARGE, ..Setting::new(Tr::new(Lang::Chinese)) };
    each(&setting, |scene| {
        let named = nodes(scene.harness.kittest_state().root()).into_iter().map(|node| name(&node)).collect::<Vec<_>>();
        for text in drawn(&scene.harness).into_iter().chain(named) {
            all.extend(chinese::fault(&text).map(|found| format!("{}: {found:?} in {text:?}", scene.name)));
        }
    });
    assert!(all.is_empty(), "not set as Chinese is:\n{}", all.into_iter().collect::<Vec<_>>().join("\n"));
}
