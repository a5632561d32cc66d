//! What Gemini CLI and its descendant Qwen Code have in common: settings with comments, `$NAME` in their values, the first
//! `.env` file upward, folders that must be trusted.

use crate::edit::{Document, DotenvDialect, JsonDialect, Kind, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, SeenFile};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::{VarOrigin, Vars, World};

/// Comments are taken out, then `JSON.parse`.
pub(super) const JSON: Language = Language::Json(JsonDialect::COMMENTS);
const DOTENV: Language = Language::Dotenv(DotenvDialect::Node);

/// A settings file that the tool can read.
pub(super) struct Settings {
    pub kind: LayerKind,
    pub path: ToolPath,
    pub document: Document,
    /// Whether it is taken into account in this folder.
    pub counts: bool,
}

impl Settings {
    /// The last value at a path, seen by the tool.
    pub fn get(&self, path: &[&str]) -> Option<&Node> {
        if self.counts { self.document.get(path) } else { None }
    }

    /// The text there, with its variables put in.
    pub fn text(&self, vars: &Vars, path: &[&str]) -> Option<String> {
        self.get(path)?.as_text().map(|text| expand(vars, text)).filter(|text| !text.is_empty())
    }
}

/// Reads a settings file.
///
/// # Errors
///
/// The reason why the tool cannot use it.
pub(super) fn open(
    world: &World<'_>,
    files: &mut Vec<SeenFile>,
    kind: LayerKind,
    path: &ToolPath,
) -> Result<Option<Settings>, Warning> {
    match load(world, files, path, JSON) {
        Loaded::Missing => Ok(None),
        Loaded::Broken(trouble) | Loaded::Unreadable(trouble) => Err(trouble),
        Loaded::Parsed(document, _) if !document.root().is_table() => {
            Err(Warning::new(Code::InvalidForTool, "switch-gemini-no-object").with("file", path))
        }
        Loaded::Parsed(document, _) => Ok(Some(Settings { kind, path: path.clone(), document, counts: true })),
    }
}

/// Whether a file that could not be read begins with a byte order mark.
pub(super) fn begins_with_bom(world: &World<'_>, path: &ToolPath) -> bool {
    match world.files.read(path) {
        crate::switch::world::FileState::File(file) => file.bytes.starts_with(b"\xef\xbb\xbf"),
        _ => false,
    }
}

/// Puts variables into a text: `$NAME`, `${NAME}`, `${NAME:-else}`. One that is not set and has no `else` stays as written.
pub(super) fn expand(vars: &Vars, text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some((length, name, default)) = reference(rest) else {
            out.push('$');
            rest = &rest[1..];
            continue;
        };
        out.push_str(vars.raw(name).or(default).unwrap_or(&rest[..length]));
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

/// Whether a text holds a reference to a variable.
pub(super) fn has_reference(text: &str) -> bool {
    text.match_indices('$').any(|(at, _)| reference(&text[at..]).is_some())
}

/// A reference at the start of a text: its length, the name, what stands in for it.
fn reference(text: &str) -> Option<(usize, &str, Option<&str>)> {
    let rest = text.strip_prefix('$')?;
    if let Some(inner) = rest.strip_prefix('{') {
        let end = inner.find('}')?;
        let (name, default) = match inner[..end].split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (&inner[..end], None),
        };
        return (!name.is_empty()).then_some((end + 3, name, default));
    }
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    (length > 0).then_some((length + 1, &rest[..length], None))
}

/// The `.env` file that is loaded: the first one found.
pub(super) struct Dotenv {
    pub path: ToolPath,
    document: Option<Document>,
}

impl Dotenv {
    /// The first of these places where there is something.
    pub fn find(
        world: &World<'_>,
        files: &mut Vec<SeenFile>,
        places: impl IntoIterator<Item = ToolPath>,
    ) -> Option<Self> {
        let path = places.into_iter().find(|path| world.files.exists(path))?;
        let document = match load(world, files, &path, DOTENV) {
            Loaded::Parsed(document, _) => Some(document),
            _ => None,
        };
        Some(Self { path, document })
    }

    /// A variable of it, empty ones too.
    pub fn raw(&self, name: &str) -> Option<&str> {
        self.document.as_ref()?.text(&[name])
    }

    /// The layer of a variable of it.
    pub fn layer(&self, name: &str) -> Option<Layer> {
        let value = self.raw(name).filter(|value| !value.is_empty())?;
        Some(Layer::new(LayerKind::Dotenv, Place::file(&self.path, name), Some(value.to_owned())))
    }
}

/// The layer of a process variable.
pub(super) fn variable(vars: &Vars, name: &str) -> Option<Layer> {
    let origin = vars.origin(name).unwrap_or(VarOrigin::Process);
    let place = Place::Variable { name: name.to_owned(), origin };
    Some(Layer::new(LayerKind::Env, place, Some(vars.get(name)?.to_owned())))
}

/// What the user's record says of a folder: the rule with the longest path that holds it.
///
/// # Errors
///
/// The record is broken, and the tool does not start with it.
pub(super) fn recorded_trust(
    world: &World<'_>,
    files: &mut Vec<SeenFile>,
    record: &ToolPath,
    folder: &ToolPath,
) -> Result<Option<bool>, Warning> {
    let document = match load(world, files, record, JSON) {
        Loaded::Missing => return Ok(None),
        Loaded::Parsed(document, _) => document,
        Loaded::Broken(trouble) | Loaded::Unreadable(trouble) => return Err(trouble),
    };
    let rules = document.root().entries().iter().filter_map(|entry| {
        let rule = ToolPath::new(&entry.key);
        let level = entry.value.as_text()?;
        let holds = if level == "TRUST_PARENT" { rule.parent().unwrap_or_else(|| rule.clone()) } else { rule };
        folder.is_in(&holds).then_some((entry.key.len(), level != "DO_NOT_TRUST"))
    });
    Ok(rules.max_by_key(|(length, _)| *length).map(|(_, is_trusted)| is_trusted))
}

/// Whether a node is there and is no text: a wrong type.
pub(super) fn is_no_text(node: Option<&Node>) -> bool {
    node.is_some_and(|node| !matches!(node.kind, Kind::Text(_) | Kind::Null))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_put_in_as_the_tools_do() {
        let mut vars = Vars::default();
        vars.add("A", "x", VarOrigin::Process);
        vars.add("EMPTY", "", VarOrigin::Process);
        for (text, expected) in [
            ("plain", "plain"),
            ("$A", "x"),
            ("${A}-$A", "x-x"),
            ("$B", "$B"),
            ("${B}", "${B}"),
            ("${B:-y}", "y"),
            ("${A:-y}", "x"),
            ("${EMPTY:-y}", ""),
            ("$", "$"),
            ("a$-b", "a$-b"),
            ("${", "${"),
            ("${}", "${}"),
            ("价$A格", "价x格"),
        ] {
            assert_eq!(expand(&vars, text), expected, "{text}");
            assert_eq!(
                has_reference(text),
                text.contains("$A")
                    || text.contains("$B")
                    || text.contains("{A")
                    || text.contains("{B")
                    || text.contains("{E")
            );
        }
    }
}
