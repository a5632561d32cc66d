//! The list of third-party licences is complete, and none is one that asks for more than we give.

use std::collections::BTreeMap;

use super::text;

const LIST: &str = "packaging/licenses/THIRD-PARTY.md";

/// What a crate may be under, and why that is no burden for a program under MIT or Apache-2.0.
const ALLOWED: &[(&str, &str)] = &[
    ("MIT", "notice, which the list gives"),
    ("MIT-0", "nothing"),
    ("ISC", "notice"),
    ("Zlib", "nothing for binaries"),
    ("0BSD", "nothing"),
    ("BSD-2-Clause", "notice"),
    ("BSD-3-Clause", "notice"),
    ("BSL-1.0", "nothing for binaries"),
    ("Apache-2.0", "notice and NOTICE files"),
    ("Apache-2.0 WITH LLVM-exception", "as Apache-2.0, or less"),
    ("Unicode-3.0", "notice"),
    ("CC0-1.0", "nothing"),
    ("Unlicense", "nothing"),
    ("MPL-2.0", "its files stay under it; they are unchanged and to be had, which the list says"),
    ("CDLA-Permissive-2.0", "data: its text, which the list gives"),
    ("OFL-1.1", "fonts: their text, never sold alone"),
    ("Ubuntu-font-1.0", "fonts: their text, names kept"),
];

/// The licence of every crate and version in the list's tables.
fn listed() -> BTreeMap<(String, String), String> {
    let text = text(LIST);
    let tables = text.split_once("## What is no crate").unwrap().0;
    tables
        .lines()
        .filter_map(|line| {
            let cells: Vec<_> = line.strip_prefix("| ")?.trim_end_matches(" |").split(" | ").collect();
            let [name, version, licence, ..] = cells[..] else { return None };
            let is_crate = version.starts_with(|first: char| first.is_ascii_digit());
            is_crate.then(|| ((name.to_owned(), version.to_owned()), licence.to_owned()))
        })
        .collect()
}

/// Every package of Cargo.lock but our own.
fn locked() -> Vec<(String, String)> {
    let lock: toml_edit::DocumentMut = text("Cargo.lock").parse().unwrap();
    let packages = lock["package"].as_array_of_tables().unwrap();
    let field = |package: &toml_edit::Table, key: &str| package[key].as_str().unwrap().to_owned();
    packages
        .iter()
        .map(|package| (field(package, "name"), field(package, "version")))
        .filter(|(name, _)| name != "vacancy")
        .collect()
}

/// Whether an SPDX expression leaves a way through [`ALLOWED`]. AND binds closer than OR; `/` is an old OR.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ").replace(" WITH ", "~");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let allowed = either(&tokens, &mut at);
    assert_eq!(at, tokens.len(), "{expression} was read whole");
    allowed
}

fn either(tokens: &[&str], at: &mut usize) -> bool {
    let mut allowed = both(tokens, at);
    while tokens.get(*at) == Some(&"OR") {
        *at += 1;
        allowed |= both(tokens, at);
    }
    allowed
}

fn both(tokens: &[&str], at: &mut usize) -> bool {
    let mut allowed = one(tokens, at);
    while tokens.get(*at) == Some(&"AND") {
        *at += 1;
        allowed &= one(tokens, at);
    }
    allowed
}

fn one(tokens: &[&str], at: &mut usize) -> bool {
    let token = tokens[*at];
    *at += 1;
    if token == "(" {
        let allowed = either(tokens, at);
        assert_eq!(tokens.get(*at), Some(&")"));
        *at += 1;
        return allowed;
    }
    let name = token.replace('~', " WITH ");
    ALLOWED.iter().any(|(allowed, _)| *allowed == name)
}

#[test]
fn every_locked_package_is_listed() {
    let listed = listed();
    let locked = locked();
    let missing: Vec<_> = locked.iter().filter(|package| !listed.contains_key(package)).collect();
    assert!(missing.is_empty(), "run packaging/scripts/licenses: {missing:?}");
    let gone: Vec<_> = listed.keys().filter(|package| !locked.contains(package)).collect();
    assert!(gone.is_empty(), "run packaging/scripts/licenses: {gone:?}");
}

#[test]
fn every_licence_is_one_that_we_may_use() {
    let refused: Vec<_> = listed().into_iter().filter(|(_, licence)| !is_allowed(licence)).collect();
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn expressions_are_read_with_their_order() {
    for (expression, allowed) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("MIT OR GPL-3.0-only", true),
        ("MIT AND GPL-3.0-only", false),
        ("GPL-3.0-only/MIT", true),
        ("GPL-3.0-only OR MIT AND ISC", true),
        ("(GPL-3.0-only OR MIT) AND ISC", true),
        ("MIT AND (GPL-3.0-only OR LGPL-2.1-only)", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("GPL-2.0-only WITH Classpath-exception-2.0", false),
    ] {
        assert_eq!(is_allowed(expression), allowed, "{expression}");
    }
}

/// A linked crate either brings a text or is named among those that bring none.
#[test]
fn linked_crates_come_with_their_terms() {
    let text = text(LIST);
    let (tables, terms) = text.split_once("## Texts").unwrap();
    let linked = tables.split_once("## Crates used to build").unwrap().0;
    let named: std::collections::BTreeSet<&str> = terms
        .lines()
        .filter_map(|line| line.strip_prefix("- "))
        .flat_map(|line| line.split(':').next().unwrap_or_default().split(", "))
        .collect();
    let mut count = 0;
    for line in linked.lines().filter(|line| line.starts_with("| ")).skip(2) {
        let name = line[2..].split(" | ").next().unwrap();
        assert!(named.contains(name), "{name} has no terms");
        count += 1;
    }
    assert!(count > 300, "{count} crates are in the program");
}
