//! Finds the rules whose evidence holds, over tables of hundreds of words, in one pass over a text.

use std::borrow::Cow;
use std::collections::HashMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::core::classify::rule::{Rule, Stage};
use crate::core::classify::table::TABLE;

/// Words that are no rule's evidence, but change one: see [`Mark`].
const NAMED_MODEL: &[&str] = &[
    "for model",
    "per model",
    "this model",
    "for the model",
    "of the model",
    "on model",
    "model:",
    "model=",
    "model '",
    "model `",
    "by model",
    "bymodel",
    "limit reached for gpt",
    "limit reached for claude",
    "for gpt-",
    "for claude-",
    "for gemini-",
    "base_model",
    "permodel",
    "model_group",
    "模型 ",
    "该模型",
    "此模型",
    "当前模型",
    "这个模型",
];
const DAILY: &[&str] = &[
    "per day",
    "per-day",
    "(rpd)",
    "(tpd)",
    "/day",
    "daily",
    "per_day",
    "perday",
    "rpd limit",
    " tpd ",
    " rpd ",
    "tpd limit",
    "byday",
    "每日",
    "每天",
    "当日",
    "今日",
];

/// What a text also says, beside a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It names one model.
    Model,
    /// It speaks of a window of a day.
    Day,
}

const MARKS: [(Mark, &[&str]); 2] = [(Mark::Model, NAMED_MODEL), (Mark::Day, DAILY)];

/// The words found in a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    bits: Vec<u64>,
    /// Words in the order in which they were found, with the place of their first character.
    first: Vec<(u16, usize)>,
}

impl Found {
    fn set(&mut self, word: usize, at: usize) {
        let bit = 1 << (word % 64);
        let slot = &mut self.bits[word / 64];
        if *slot & bit == 0 {
            *slot |= bit;
            self.first.push((u16::try_from(word).unwrap_or(u16::MAX), at));
        }
    }

    fn has(&self, word: u16) -> bool {
        self.bits[usize::from(word) / 64] & (1 << (word % 64)) != 0
    }

    fn has_any(&self, words: &[u16]) -> bool {
        words.iter().any(|&word| self.has(word))
    }
}

struct Row {
    stage: Stage,
    rule: &'static Rule,
    texts: Vec<u16>,
    also: Vec<u16>,
    unless: Vec<u16>,
    is_named: bool,
}

/// The rules of some stages, ready to be searched for.
pub(super) struct Matcher {
    rows: Vec<Row>,
    words: AhoCorasick,
    word_count: usize,
    by_word: Vec<Vec<u16>>,
    by_name: HashMap<&'static str, Vec<u16>>,
    parts: AhoCorasick,
    by_part: Vec<Vec<u16>>,
    /// Rules that need neither name nor word.
    plain: Vec<u16>,
    marks: Vec<(Mark, Vec<u16>)>,
}

/// What a rule's other conditions are checked against.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    /// The status; 0 when there is none.
    pub(super) status: u16,
    /// The provider's id, lower case.
    pub(super) provider: Option<&'a str>,
}

/// How good a match is: smaller is better.
type Rank = (Stage, usize, usize);

fn automaton(words: &[&str]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(words)
        .expect("the table's words fit into an automaton")
}

/// Numbers words as they come.
#[derive(Default)]
struct Words {
    list: Vec<&'static str>,
    known: HashMap<&'static str, u16>,
}

impl Words {
    fn number(&mut self, words: &[&'static str]) -> Vec<u16> {
        words
            .iter()
            .map(|&word| {
                *self.known.entry(word).or_insert_with(|| {
                    self.list.push(word);
                    u16::try_from(self.list.len() - 1).expect("fewer than 65,536 words")
                })
            })
            .collect()
    }
}

impl Matcher {
    /// The rules of these stages.
    pub(super) fn new(stages: &[Stage]) -> Self {
        let mut words = Words::default();
        let mut rows = Vec::new();
        for &(stage, rules) in TABLE {
            for rule in rules.iter().filter(|_| stages.contains(&stage)) {
                rows.push(Row {
                    stage,
                    rule,
                    texts: words.number(rule.texts),
                    also: words.number(rule.also),
                    unless: words.number(rule.unless),
                    is_named: !rule.names.is_empty() || !rule.parts.is_empty(),
                });
            }
        }
        let marks = MARKS.map(|(mark, list)| (mark, words.number(list))).into();
        let mut by_word = vec![Vec::new(); words.list.len()];
        let mut by_name: HashMap<_, Vec<u16>> = HashMap::new();
        let mut part_words = Words::default();
        let mut by_part: Vec<Vec<u16>> = Vec::new();
        let mut plain = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let index = u16::try_from(index).expect("fewer than 65,536 rules");
            if row.is_named {
                for &name in row.rule.names {
                    by_name.entry(name).or_default().push(index);
                }
                for part in part_words.number(row.rule.parts) {
                    by_part.resize(part_words.list.len(), Vec::new());
                    by_part[usize::from(part)].push(index);
                }
            } else if row.texts.is_empty() {
                plain.push(index);
            } else {
                for &word in &row.texts {
                    by_word[usize::from(word)].push(index);
                }
            }
        }
        Self {
            word_count: words.list.len(),
            words: automaton(&words.list),
            parts: automaton(&part_words.list),
            rows,
            by_word,
            by_name,
            by_part,
            plain,
            marks,
        }
    }

    /// An empty set of found words.
    pub(super) fn nothing(&self) -> Found {
        Found { bits: vec![0; self.word_count.div_ceil(64)], first: Vec::with_capacity(16) }
    }

    /// Adds the words of a text that stands `offset` bytes behind the first one.
    pub(super) fn search(&self, text: &str, offset: usize, found: &mut Found) {
        let text = simplified(text);
        for hit in self.words.find_overlapping_iter(&*text) {
            found.set(hit.pattern().as_usize(), offset + hit.start());
        }
    }

    /// Whether a text says this too.
    pub(super) fn is_marked(&self, mark: Mark, found: &Found) -> bool {
        self.marks.iter().any(|(known, words)| *known == mark && found.has_any(words))
    }

    fn holds(&self, row: &Row, found: &Found, facts: Facts<'_>) -> bool {
        (row.rule.statuses.is_empty()
            || row.rule.statuses.iter().any(|(low, high)| (*low..=*high).contains(&facts.status)))
            && (!row.is_named || row.texts.is_empty() || found.has_any(&row.texts))
            && (row.also.is_empty() || found.has_any(&row.also))
            && !found.has_any(&row.unless)
            && (row.rule.providers.is_empty()
                || facts.provider.is_some_and(|provider| row.rule.providers.iter().any(|part| provider.contains(part))))
    }

    fn offer(
        &self,
        best: &mut Option<Rank>,
        rows: &[u16],
        place: impl Fn(Stage) -> usize,
        stages: (Stage, Stage),
        found: &Found,
        facts: Facts<'_>,
    ) {
        for &index in rows {
            let row = &self.rows[usize::from(index)];
            if row.stage < stages.0 || row.stage > stages.1 {
                continue;
            }
            let rank = (row.stage, place(row.stage), usize::from(index));
            if best.is_none_or(|known| rank < known) && self.holds(row, found, facts) {
                *best = Some(rank);
            }
        }
    }

    /// The best rule of the stages from `stages.0` to `stages.1`. Names come folded, with whether they are codes.
    pub(super) fn best<'n>(
        &self,
        stages: (Stage, Stage),
        names: impl Iterator<Item = (&'n str, bool)>,
        found: &Found,
        facts: Facts<'_>,
    ) -> Option<(Stage, &'static Rule)> {
        let mut best = None;
        for (name, is_code) in names {
            // A code beats a type, and a known name one that only contains something known.
            let place = |known: bool| {
                move |stage| if stage == Stage::Name { usize::from(!is_code) + if known { 0 } else { 2 } } else { 0 }
            };
            let mut is_known = false;
            spellings(name, |spelling| {
                let rows = self.by_name.get(spelling);
                if let Some(rows) = rows {
                    is_known = true;
                    self.offer(&mut best, rows, place(true), stages, found, facts);
                }
                rows.is_some()
            });
            if !is_known {
                for hit in self.parts.find_overlapping_iter(name) {
                    let rows = &self.by_part[hit.pattern().as_usize()];
                    self.offer(&mut best, rows, place(false), stages, found, facts);
                }
            }
        }
        for &(word, at) in &found.first {
            let place = |stage| if stage == Stage::Subject { at } else { 0 };
            self.offer(&mut best, &self.by_word[usize::from(word)], place, stages, found, facts);
        }
        self.offer(&mut best, &self.plain, |_| usize::MAX, stages, found, facts);
        best.map(|(stage, _, index)| (stage, self.rows[index].rule))
    }
}

/// Traditional characters that errors are written with, in the order of their code points, and the simplified ones of the
/// table.
#[rustfmt::skip]
const HAN: [(char, char); 72] = [
    ('併', '并'), ('個', '个'), ('內', '内'), ('務', '务'), ('區', '区'), ('問', '问'), ('國', '国'), ('壓', '压'), ('審', '审'), ('帳', '账'),
    ('後', '后'), ('應', '应'), ('戶', '户'), ('損', '损'), ('擁', '拥'), ('擠', '挤'), ('數', '数'), ('時', '时'), ('檢', '检'), ('權', '权'),
    ('測', '测'), ('滿', '满'), ('無', '无'), ('異', '异'), ('當', '当'), ('發', '发'), ('確', '确'), ('稱', '称'), ('級', '级'), ('絡', '络'),
    ('統', '统'), ('網', '网'), ('線', '线'), ('號', '号'), ('規', '规'), ('訂', '订'), ('訪', '访'), ('詞', '词'), ('試', '试'), ('認', '认'),
    ('誤', '误'), ('調', '调'), ('請', '请'), ('證', '证'), ('負', '负'), ('買', '买'), ('費', '费'), ('資', '资'), ('賬', '账'), ('購', '购'),
    ('載', '载'), ('連', '连'), ('週', '周'), ('過', '过'), ('達', '达'), ('違', '违'), ('錢', '钱'), ('錯', '错'), ('鑰', '钥'), ('長', '长'),
    ('閉', '闭'), ('開', '开'), ('閱', '阅'), ('關', '关'), ('隊', '队'), ('響', '响'), ('頻', '频'), ('額', '额'), ('飽', '饱'), ('餘', '余'),
    ('驗', '验'), ('點', '点'),
];

/// A text with simplified characters, of the same length; most texts have none to change.
fn simplified(text: &str) -> Cow<'_, str> {
    let swap = |symbol: char| HAN.binary_search_by_key(&symbol, |(from, _)| *from).ok().map(|at| HAN[at].1);
    if text.is_ascii() || !text.chars().any(|symbol| swap(symbol).is_some()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|symbol| swap(symbol).unwrap_or(symbol)).collect())
}

/// Tries a folded name as it is, without what follows a colon or precedes a hash, without its last dotted parts, by its last
/// part; each, if unknown, also without `error` or `exception` at the end. `each` tells whether it knows a spelling.
fn spellings(name: &str, mut each: impl FnMut(&str) -> bool) {
    let mut tails = |spelling: &str| {
        if !each(spelling) {
            for tail in ["exception", "error"] {
                if let Some(short) = spelling.strip_suffix(tail)
                    && !short.is_empty()
                {
                    each(short);
                }
            }
        }
    };
    tails(name);
    let bytes = name.as_bytes();
    if !bytes.iter().any(|byte| matches!(byte, b'.' | b':' | b'#' | b'/')) {
        return;
    }
    if let Some(at) = name.rfind('#') {
        tails(&name[at + 1..]);
    }
    let plain = match name.find(':') {
        Some(at) => {
            tails(&name[..at]);
            &name[..at]
        }
        None => name,
    };
    let mut short = plain;
    while let Some(at) = short.rfind('.') {
        tails(&short[at + 1..]);
        short = &short[..at];
        tails(short);
    }
}
