//! A verdict in sentences.

use std::time::Duration;

use crate::args;
use crate::core::classify::rule::Rule;
use crate::core::classify::table::TABLE;
use crate::core::classify::{RuleSet, SHAPES, fold};
use crate::core::outcome::{Kind, Outcome, Scope};
use crate::format;
use crate::i18n::Tr;

/// What a kind means, in a sentence or two.
pub fn meaning(tr: &Tr, kind: Kind) -> String {
    tr.text(&format!("explain-{}-meaning", kind.name()))
}

/// What to do about a kind.
pub fn next_step(tr: &Tr, kind: Kind) -> String {
    tr.text(&format!("explain-{}-next", kind.name()))
}

/// Whose matter it is: theirs, the account's, this machine's, nobody's.
pub fn whose(tr: &Tr, kind: Kind, scope: Scope) -> String {
    let id = match (kind, scope) {
        (Kind::Available, _) => "explain-whose-nobody",
        (Kind::Unrecognized | Kind::Skipped, _) => "explain-whose-unknown",
        (Kind::AtCapacity, _)
        | (Kind::ServerError | Kind::Timeout, Scope::Model | Scope::Account | Scope::Provider) => {
            "explain-whose-theirs"
        }
        (Kind::ModelNotFound | Kind::BadRequest | Kind::ContentFiltered | Kind::Misconfigured, _) => {
            "explain-whose-request"
        }
        (_, Scope::Local) => "explain-whose-machine",
        (_, Scope::Model | Scope::Account | Scope::Provider) => "explain-whose-account",
    };
    tr.text(id)
}

/// A span in its two largest units, rounded up to whole seconds.
pub fn span(tr: &Tr, span: Duration) -> String {
    let seconds = span.as_millis().div_ceil(1000) as u64;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let units = [
        ("explain-span-days", days),
        ("explain-span-hours", hours),
        ("explain-span-minutes", minutes),
        ("explain-span-seconds", seconds % 60),
    ];
    let first = units.iter().position(|(_, count)| *count > 0).unwrap_or(units.len() - 1);
    let parts: Vec<_> = units
        .iter()
        .skip(first)
        .take(2)
        .enumerate()
        .filter(|(at, (_, count))| *at == 0 || *count > 0)
        .map(|(_, (id, count))| tr.with(id, &args!("count" => *count)))
        .collect();
    parts.join(" ")
}

/// When to try again, in a sentence.
pub fn when(tr: &Tr, outcome: &Outcome) -> String {
    match (outcome.kind, outcome.retry_after) {
        (Kind::Available, _) => tr.text("explain-when-now"),
        (_, Some(wait)) if wait >= Duration::from_secs(2 * 3600) => {
            tr.with("explain-when-long", &args!("span" => span(tr, wait)))
        }
        (_, Some(wait)) => tr.with("explain-when-hint", &args!("span" => span(tr, wait))),
        (Kind::UsageLimit | Kind::QuotaExhausted, None) if outcome.wait_helps => tr.text("explain-when-reset"),
        (_, None) if outcome.wait_helps => tr.text("explain-when-soon"),
        (Kind::Unrecognized | Kind::Skipped, None) => tr.text("explain-when-unknown"),
        (_, None) => tr.text("explain-when-fixed"),
    }
}

/// Whether another model would do better, in a sentence.
pub fn switching(tr: &Tr, outcome: &Outcome) -> String {
    tr.text(match (outcome.switch_helps, outcome.scope, outcome.kind) {
        (true, ..) => "explain-switch-yes",
        (false, Scope::Local, Kind::BadRequest | Kind::ContentFiltered) => "explain-switch-request",
        (false, Scope::Local, _) => "explain-switch-machine",
        (false, Scope::Provider, _) => "explain-switch-provider",
        (false, Scope::Model | Scope::Account, _) => "explain-switch-no",
    })
}

/// What it is and how far it reaches; how far is left out where nothing is known.
fn headline(tr: &Tr, outcome: &Outcome) -> String {
    let kind = tr.text(&format!("kind-{}", outcome.kind.name()));
    if matches!(outcome.kind, Kind::Unrecognized | Kind::Skipped) {
        return kind;
    }
    let scope = tr.text(&format!("scope-{}", outcome.scope.name()));
    tr.with("explain-headline", &args!("kind" => kind, "scope" => scope))
}

/// The whole explanation, a paragraph of labelled lines that ends in a line feed.
pub fn explain(tr: &Tr, rules: &RuleSet, outcome: &Outcome) -> String {
    let is_plain = !matches!(outcome.kind, Kind::Available | Kind::Unrecognized | Kind::Skipped);
    let mut lines = vec![headline(tr, outcome), String::new(), meaning(tr, outcome.kind), String::new()];
    let mut row = |label: &str, text: String| lines.push(format!("{}{text}", pad(&tr.text(label))));
    row("explain-label-whose", whose(tr, outcome.kind, outcome.scope));
    row("explain-label-next", next_step(tr, outcome.kind));
    if is_plain {
        row("explain-label-wait", tr.text(if outcome.wait_helps { "explain-wait-yes" } else { "explain-wait-no" }));
        row("explain-label-switch", switching(tr, outcome));
    }
    row("explain-label-when", when(tr, outcome));
    let evidence = evidence(tr, rules, outcome);
    let rule = match evidence.is_empty() {
        true => outcome.rule.to_string(),
        false => tr.with("cli-aside", &args!("text" => &*outcome.rule, "aside" => evidence)),
    };
    row("explain-label-rule", rule);
    if !outcome.excerpt.is_empty() {
        row("explain-label-evidence", outcome.excerpt.clone());
    }
    lines.push(String::new());
    lines.join("\n")
}

/// A label with blanks up to the column of the text; a Chinese character takes two.
fn pad(label: &str) -> String {
    const COLUMN: usize = 14;
    let width: usize = label.chars().map(|symbol| if symbol.is_ascii() { 1 } else { 2 }).sum();
    format!("{label}{}", " ".repeat(COLUMN.saturating_sub(width).max(1)))
}

/// Which of a rule's words the shown evidence holds; else what it looks for, shortened.
fn evidence(tr: &Tr, rules: &RuleSet, outcome: &Outcome) -> String {
    const LIMIT: usize = 100;
    let id = &*outcome.rule;
    let shown = outcome.excerpt.to_lowercase();
    let folded = fold(&outcome.excerpt);
    let rows = || TABLE.iter().flat_map(|(_, rules)| rules.iter()).filter(|rule| rule.id == id);
    let seen: Vec<&str> = rows()
        .flat_map(|rule| rule.texts.iter().chain(rule.also))
        .filter(|word| shown.contains(word.trim()))
        .chain(rows().flat_map(|rule| rule.names.iter().chain(rule.parts)).filter(|name| folded.contains(**name)))
        .take(3)
        .copied()
        .collect();
    if !seen.is_empty() {
        return seen.join(" | ").replace('\n', " ").trim().to_owned();
    }
    let user = rules.user_rules().find(|rule| rule.id == id).map(|rule| rule.evidence());
    let builtin = || rows().next().map(|rule| rule_words(tr, rule));
    let shape = || SHAPES.iter().find(|(shape, ..)| *shape == id).map(|(shape, ..)| shape_words(tr, shape));
    let text = user.or_else(builtin).or_else(shape).unwrap_or_default();
    if text.chars().count() <= LIMIT {
        return text;
    }
    let cut: String = text.chars().take(LIMIT).collect();
    format!("{cut}…")
}

/// What a built-in rule looks for, in one line.
fn rule_words(tr: &Tr, rule: &Rule) -> String {
    let parts = rule.evidence().into_iter().map(|(field, words)| {
        let label = tr.text(&format!("explain-evidence-{field}"));
        format::labelled(&label, &words, tr)
    });
    format::clauses(parts, tr)
}

/// What an answer is like that has one of [`SHAPES`].
fn shape_words(tr: &Tr, shape: &str) -> String {
    tr.text(&format!("explain-shape-{shape}"))
}

/// Every rule on a line of its own: stage, id, kind, scope, evidence.
pub fn rule_table(tr: &Tr, rules: &RuleSet) -> String {
    let mut rows: Vec<[String; 5]> = vec![["STAGE", "ID", "KIND", "SCOPE", "EVIDENCE"].map(str::to_owned)];
    rows.extend(rules.user_rules().map(|rule| {
        let scope = rule.scope.map_or("usual", Scope::name);
        ["user", rule.id.as_str(), rule.kind.name(), scope, &rule.evidence()].map(str::to_owned)
    }));
    for &(stage, rules) in TABLE {
        rows.extend(rules.iter().map(|rule| {
            let scope = if rule.model_if_named { "account or model" } else { rule.scope.name() };
            [stage.name(), rule.id, rule.kind.name(), scope, &rule_words(tr, rule)].map(str::to_owned)
        }));
    }
    rows.extend(
        SHAPES
            .iter()
            .map(|(id, kind, scope)| ["shape", id, kind.name(), scope.name(), &shape_words(tr, id)].map(str::to_owned)),
    );
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    let mut text = String::new();
    for row in &rows {
        for (cell, width) in row.iter().zip(widths) {
            text.push_str(&format!("{cell:width$}  "));
        }
        text.push_str(&row[4]);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;

    #[test]
    fn every_kind_has_its_words_in_both_languages() {
        let tables = Lang::ALL.map(Tr::new);
        for kind in Kind::ALL {
            let texts = tables.each_ref().map(|tr| (meaning(tr, kind), next_step(tr, kind)));
            assert_ne!(texts[0], texts[1], "{kind}");
            for (meaning, next) in texts {
                assert!(meaning.chars().count() > 8 && next.chars().count() > 3, "{kind}: {meaning} {next}");
            }
        }
    }

    #[test]
    fn spans_have_two_units_at_most() {
        let tr = Tr::new(Lang::English);
        for (milliseconds, text) in [
            (0, "0 s"),
            (28, "1 s"),
            (30_000, "30 s"),
            (360_000, "6 min"),
            (432_000, "7 min 12 s"),
            (13_262_000, "3 h 41 min"),
            (602_705_000, "6 d 23 h"),
            (86_400_000, "1 d"),
        ] {
            assert_eq!(span(&tr, Duration::from_millis(milliseconds)), text);
        }
    }

    #[test]
    fn rule_ids_are_kebab_case_and_keep_their_meaning() {
        let mut seen = std::collections::BTreeMap::new();
        for &(stage, rules) in TABLE {
            for rule in rules {
                let is_kebab =
                    rule.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
                assert!(is_kebab && rule.id.len() <= 40, "{}", rule.id);
                // Rows may share an id when they give one verdict in several ways.
                let verdict = (rule.kind, rule.scope);
                assert_eq!(*seen.entry(rule.id).or_insert(verdict), verdict, "{} in {}", rule.id, stage.name());
                let words = rule.texts.iter().chain(rule.also).chain(rule.unless);
                for word in words {
                    assert_eq!(*word, word.to_lowercase(), "{}: words are lower case", rule.id);
                }
                for name in rule.names.iter().chain(rule.parts) {
                    assert!(
                        !name.contains(['_', '-', ' ']) || name.contains(':'),
                        "{}: `{name}` is not folded",
                        rule.id
                    );
                }
            }
        }
        assert!(SHAPES.iter().all(|(id, ..)| !seen.contains_key(id)));
    }
}
