//! `key = { env = "X" }` and its siblings.

use toml_edit::{Item, TableLike};

use crate::core::secretive::{looks_like_key, masked};
use crate::secrets::{KeyRef, KeyTool, ToolKey};
use crate::settings::finding::{Known, Noun, Problem, Shape};
use crate::settings::reader::{Reader, Section, Spot, find};

const FORMS: &[&str] = &["env", "command", "keyring", "tool"];

/// Reads a key reference; `None` when the provider has no such line or it is wrong.
pub(super) fn read<'a>(reader: &mut Reader<'a>, provider: &Section<'a>) -> Option<Spot<KeyRef>> {
    let (item, span) = find(provider, "key")?;
    // Whatever text stands here was meant as the key itself.
    if let Item::Value(toml_edit::Value::String(_)) = item {
        reader.report(span, Problem::KeyLiteral);
        return None;
    }
    let Some(table) = item.as_table_like() else {
        reader.wrong("key", Shape::Key, span);
        return None;
    };
    place(reader, "key", Spot { value: table, span }, FORMS)
}

/// Reads the table that names one of these places, under the key `name`.
pub(super) fn place<'a>(
    reader: &mut Reader<'a>,
    name: &'static str,
    found: Spot<&'a dyn TableLike>,
    forms: &'static [&'static str],
) -> Option<Spot<KeyRef>> {
    let Spot { value: table, span } = found;
    let section = reader.section(name, Spot { value: table, span: span.clone() }, forms);
    let mut given = forms.iter().filter(|form| table.contains_key(form));
    let (Some(form), None) = (given.next(), given.next()) else {
        if table.iter().all(|(name, _)| forms.contains(&name)) {
            reader.report(span, Problem::KeyForm);
        }
        return None;
    };
    let value = match *form {
        "env" => variable(reader, &section)?,
        "command" => command(reader, &section)?,
        "keyring" => KeyRef::Keyring(reference(reader, &section, "keyring")?.value.to_owned()),
        _ => tool(reader, &section)?,
    };
    Some(Spot { value, span })
}

/// A text that names a place and is not itself the key.
fn reference<'a>(reader: &mut Reader<'a>, section: &Section<'a>, form: &'static str) -> Option<Spot<&'a str>> {
    let text = reader.text(section, form)?;
    if looks_like_key(text.value) {
        reader.report(text.span, Problem::KeyLiteral);
        return None;
    }
    Some(text)
}

fn variable<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Option<KeyRef> {
    let name = reference(reader, section, "env")?;
    let is_name = name.value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.value.starts_with(|c: char| c.is_ascii_digit());
    if !is_name {
        reader.report(name.span, Problem::BadVariable { name: masked(name.value) });
        return None;
    }
    Some(KeyRef::Env(name.value.to_owned()))
}

fn command<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Option<KeyRef> {
    program(reader, section).map(KeyRef::Command)
}

/// `command` of a section: a program with its arguments, at least one word.
pub(super) fn program<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Option<Vec<String>> {
    let words = reader.texts(section, "command")?;
    if words.value.is_empty() {
        reader.report(words.span, Problem::Empty { key: "command".to_owned() });
        return None;
    }
    // `command = ["echo", "sk-..."]` is a key in the file all the same.
    if let Some(word) = words.value.iter().find(|word| looks_like_key(word.value)) {
        reader.report(word.span.clone(), Problem::KeyLiteral);
        return None;
    }
    Some(words.value.into_iter().map(|word| word.value.to_owned()).collect())
}

fn tool<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Option<KeyRef> {
    let text = reference(reader, section, "tool")?;
    if let Some(key) = ToolKey::parse(text.value) {
        return Some(KeyRef::Tool(key));
    }
    let name = text.value.split_once('/').map_or(text.value, |(name, _)| name);
    let problem = if KeyTool::ALL.iter().any(|tool| tool.name() == name) {
        Problem::KeyEntry { tool: name.to_owned() }
    } else {
        let known = Known::of(name, KeyTool::ALL.iter().map(|tool| tool.name()));
        Problem::UnknownName { noun: Noun::Tool, name: masked(name), known }
    };
    reader.report(text.span, problem);
    None
}
