//! The message catalogue against the code, the two languages against each other, and both against the fonts.

use std::collections::{BTreeMap, BTreeSet};

use egui::epaint::text::{Fonts, TextOptions};
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use regex::Regex;
use vacancy::core::outcome::{Family, Kind, Scope};
use vacancy::core::sample::Source;
use vacancy::i18n::{FluentArgs, Lang, Tr};
use vacancy::ui::theme::{Type, fonts};

use crate::support::{chinese, sources};

/// One message: the variables it names and the text it shows (all variants, placeables left out).
#[derive(Debug, Default)]
struct Message {
    variables: BTreeSet<String>,
    text: String,
}

impl Message {
    fn read(&mut self, pattern: &Pattern<&str>) {
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => self.text.push_str(value),
                PatternElement::Placeable { expression } => self.expression(expression),
            }
        }
    }

    fn expression(&mut self, expression: &Expression<&str>) {
        match expression {
            Expression::Inline(inline) => self.inline(inline),
            Expression::Select { selector, variants } => {
                self.inline(selector);
                for variant in variants {
                    self.text.push('\n');
                    self.read(&variant.value);
                }
            }
        }
    }

    fn inline(&mut self, inline: &InlineExpression<&str>) {
        match inline {
            InlineExpression::StringLiteral { value } => self.text.push_str(value),
            InlineExpression::VariableReference { id } => {
                self.variables.insert(id.name.to_owned());
                self.text.push(' ');
            }
            InlineExpression::Placeable { expression } => self.expression(expression),
            InlineExpression::FunctionReference { arguments, .. } => {
                for argument in &arguments.positional {
                    self.inline(argument);
                }
            }
            InlineExpression::NumberLiteral { .. }
            | InlineExpression::MessageReference { .. }
            | InlineExpression::TermReference { .. } => {}
        }
    }
}

fn messages(area: &str, source: &str) -> BTreeMap<String, Message> {
    let resource = fluent_syntax::parser::parse(source).unwrap_or_else(|(_, errors)| panic!("{area}: {errors:?}"));
    let mut messages = BTreeMap::new();
    for entry in &resource.body {
        let Entry::Message(found) = entry else { continue };
        let mut message = Message::default();
        message.read(found.value.as_ref().unwrap_or_else(|| panic!("{area}: `{}` has no text", found.id.name)));
        let twice = messages.insert(found.id.name.to_owned(), message);
        assert!(twice.is_none(), "{area}: `{}` is there twice", found.id.name);
    }
    messages
}

/// All messages of a language.
fn catalogue(lang: Lang) -> BTreeMap<String, Message> {
    let mut all = BTreeMap::new();
    for (area, source) in lang.catalogue() {
        for (id, message) in messages(area, source) {
            assert!(all.insert(id.clone(), message).is_none(), "`{id}` is in two areas");
        }
    }
    all
}

/// Lists what is wrong and fails, if anything is.
#[track_caller]
fn none_of(what: &str, faults: Vec<String>) {
    assert!(faults.is_empty(), "{what}:\n  {}", faults.join("\n  "));
}

#[test]
fn all_languages_have_the_same_messages_with_the_same_variables() {
    let mut faults = Vec::new();
    for lang in Lang::ALL {
        for ((area, english), (_, own)) in Lang::English.catalogue().iter().zip(lang.catalogue()) {
            let (english, own) = (messages(area, english), messages(area, own));
            for (id, message) in &english {
                match own.get(id) {
                    None => faults.push(format!("{area}: `{id}` is missing in {}", lang.tag())),
                    Some(other) if other.variables != message.variables => {
                        faults.push(format!("{area}: `{id}` has {:?} and {:?}", message.variables, other.variables));
                    }
                    Some(_) => {}
                }
            }
            for id in own.keys().filter(|id| !english.contains_key(*id)) {
                faults.push(format!("{area}: `{id}` is missing in English"));
            }
        }
    }
    none_of("the languages differ", faults);
}

/// String literals of the shipped code that look like an id, and patterns of ids built with `format!`.
fn ids_in_code() -> (BTreeSet<String>, Vec<Regex>) {
    let literal = Regex::new(r#""([a-z][a-z0-9]*(?:[-_][a-z0-9_{}.:]+)+)""#).unwrap();
    let hole = Regex::new(r"\\\{[^}]*\\\}").unwrap();
    let (mut ids, mut patterns) = (BTreeSet::new(), BTreeSet::new());
    for source in sources::all() {
        for found in literal.captures_iter(&source.code()) {
            if found[1].contains('{') {
                patterns.insert(format!("^{}$", hole.replace_all(&regex::escape(&found[1]), "[a-z0-9_-]+")));
            } else {
                ids.insert(found[1].to_owned());
            }
        }
    }
    (ids, patterns.iter().map(|pattern| Regex::new(pattern).unwrap()).collect())
}

/// Words for the names of our enums; `every_word_built_from_a_name_exists` checks each.
const BUILT_FROM_NAMES: [&str; 5] = ["kind-", "family-", "scope-", "source-", "role-"];

#[test]
fn every_message_is_used() {
    let (ids, patterns) = ids_in_code();
    let unused = catalogue(Lang::English)
        .into_keys()
        .filter(|id| !BUILT_FROM_NAMES.iter().any(|prefix| id.starts_with(prefix)))
        .filter(|id| !ids.contains(id) && !patterns.iter().any(|pattern| pattern.is_match(id)))
        .collect();
    none_of("messages that nothing shows", unused);
}

#[test]
fn every_message_that_code_names_exists() {
    let call = Regex::new(r#"\btr\s*\.\s*(?:text|with)\(\s*"([^"]+)""#).unwrap();
    let catalogue = catalogue(Lang::English);
    let mut faults = Vec::new();
    for source in sources::all() {
        let code = source.code();
        for found in call.captures_iter(&code).filter(|found| !catalogue.contains_key(&found[1])) {
            faults.push(format!("{}: `{}`", source.path, &found[1]));
        }
    }
    none_of("messages that do not exist", faults);
}

#[test]
fn every_word_built_from_a_name_exists() {
    let catalogue = catalogue(Lang::English);
    let ids = [
        Kind::ALL.map(|kind| format!("kind-{}", kind.name())).to_vec(),
        Family::ALL.map(|family| format!("family-{}", family.name())).to_vec(),
        Scope::ALL.map(|scope| format!("scope-{}", scope.name())).to_vec(),
        Source::ALL.map(|source| format!("source-{}", source.name().replace('_', "-"))).to_vec(),
        ["primary", "backup", "emergency", "none"].map(|role| format!("role-{role}")).to_vec(),
    ];
    none_of("missing", ids.concat().into_iter().filter(|id| !catalogue.contains_key(id)).collect());
}

#[test]
fn every_character_has_a_glyph() {
    let mut installed = Fonts::new(TextOptions::default(), fonts::definitions());
    let mut missing = BTreeSet::new();
    for lang in Lang::ALL {
        for (id, message) in catalogue(lang) {
            for character in message.text.chars().filter(|character| !character.is_whitespace()) {
                for kind in Type::ALL {
                    if !installed.has_glyph(&kind.font(), character) {
                        missing.insert(format!("{character} in `{id}` ({}, {kind:?})", lang.tag()));
                    }
                }
            }
        }
    }
    none_of("no glyph (run packaging/scripts/fonts.sh)", missing.into_iter().collect());
}

fn is_han(character: char) -> bool {
    ('\u{4E00}'..='\u{9FFF}').contains(&character)
}

#[test]
fn chinese_is_chinese() {
    let code = Regex::new(r"`[^`]*`|https?://\S+|[\w./~-]*[/._][\w./~-]*|--?[a-z-]+").unwrap();
    let words = Regex::new(r"[A-Za-z][a-z]+(?:[ ,]+[A-Za-z]?[a-z]+){3,}").unwrap();
    let english = catalogue(Lang::English);
    let mut faults = Vec::new();
    for (id, message) in catalogue(Lang::Chinese) {
        let text = code.replace_all(&message.text, "");
        if let Some(found) = words.find(&text) {
            faults.push(format!("`{id}` holds English: {}", found.as_str()));
        }
        let has_sentence = english.get(&id).is_some_and(|message| code.replace_all(&message.text, "").contains(' '));
        let is_worded = has_sentence && english[&id].text.split_whitespace().filter(|word| word.len() > 3).count() > 1;
        if is_worded && !text.chars().any(is_han) {
            faults.push(format!("`{id}` has no Chinese: {}", message.text));
        }
    }
    none_of("not translated", faults);
}

/// Whatever is put in: a name, a figure, words of ours.
#[test]
fn chinese_is_set_as_chinese_is() {
    let tr = Tr::new(Lang::Chinese);
    let mut faults = Vec::new();
    for (id, message) in catalogue(Lang::Chinese) {
        for value in ["Ab", "甲乙", "0", "1", "5"] {
            let mut args = FluentArgs::new();
            for name in &message.variables {
                let value = if name == "port" { "5" } else { value };
                match value.parse::<u32>() {
                    Ok(number) => args.set(name.as_str(), number),
                    Err(_) => args.set(name.as_str(), value),
                }
            }
            let text = tr.with(&id, &args);
            assert!(!text.contains(['\u{2068}', '\u{2069}']), "`{id}`: a mark is left");
            faults.extend(chinese::fault(&text).map(|found| format!("`{id}` with {value}: {found}")));
        }
    }
    none_of("not set as Chinese is", faults);
}

#[test]
fn spaces_between_chinese_close_up_and_what_is_put_in_stays_as_it_is() {
    let tr = Tr::new(Lang::Chinese);
    let missing = |path: &str| tr.with("data-restored", &vacancy::args!("path" => path));
    assert_eq!(missing("/home/a"), "已恢复 /home/a。");
    assert_eq!(missing("我的 文件"), "已恢复我的 文件。");
    for separator in ["ui-list-separator", "sheet-list-comma"] {
        assert_eq!(chinese::fault(&["甲", "乙"].join(&tr.text(separator))), None, "{separator}");
    }
}

#[test]
fn english_has_no_chinese() {
    // A language is called by its own name, so that who reads no other finds it.
    let is_own_name = |id: &str| id.ends_with("language-chinese");
    let faults = catalogue(Lang::English)
        .into_iter()
        .filter(|(id, message)| message.text.chars().any(is_han) && !is_own_name(id));
    none_of("Chinese in English", faults.map(|(id, _)| id).collect());
}

#[test]
fn the_pseudo_locale_is_longer_accented_and_bracketed_and_keeps_what_is_put_in() {
    let (tr, english) = (Tr::pseudo(), Tr::new(Lang::English));
    assert_eq!(tr.text("kind-available"), "[Ávááíľáábľéé]");
    let args = vacancy::args!("from" => "seven", "to" => "eight");
    assert_eq!(tr.with("widgets-strip-gap", &args), "[seven–eight: ñööť ŵáááťçĥééd]");
    let mut installed = Fonts::new(TextOptions::default(), fonts::definitions());
    let (mut plain, mut long) = (0, 0);
    for (id, _) in catalogue(Lang::English).iter().filter(|(_, message)| message.variables.is_empty()) {
        let (own, made) = (english.text(id), tr.text(id));
        plain += own.chars().count();
        long += made.chars().count() - 2;
        let strange = made
            .chars()
            .find(|one| !one.is_whitespace() && Type::ALL.iter().any(|kind| !installed.has_glyph(&kind.font(), *one)));
        assert_eq!(strange, None, "no glyph for it in `{id}`");
    }
    let percent = long * 100 / plain;
    assert!((132..=145).contains(&percent), "{percent} % of English");
}
