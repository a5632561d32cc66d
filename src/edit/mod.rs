//! Edits of other programs' settings files that change the bytes of one value and nothing else. Pure.
//!
//! A [`Document`] is a file's bytes, read by the rules of the tool that owns it. [`Document::set`] and
//! [`Document::remove`] answer with [`Splice`]s: ranges of the original bytes and what takes their place. Each answer has
//! been proven before it is given: the result is read again by the same rules, and its tree may differ from the old one
//! at the path that was asked for and nowhere else. What cannot be kept faithfully is refused with line and column.
//!
//! Comments, order, spacing, line endings, a byte order mark, the style of quotes and a missing final newline stay.

mod diff;
mod dotenv;
mod error;
mod escape;
mod json;
mod json_edit;
mod lines;
#[cfg(test)]
mod properties;
mod splice;
#[cfg(test)]
mod testing;
mod text;
mod toml;
mod toml_edits;
mod tree;
mod value;
mod yaml;
mod yaml_edit;

pub use diff::{shown_value, unified_diff};
pub use error::{EditError, ParseError, ParseErrorKind, Position, Refusal, position};
pub use splice::{Splice, apply, reversed};
pub use toml_edits::quoted as toml_text;
pub use tree::{Entry, Kind, Node, Style};

use std::fmt;
use std::ops::Range;

/// The largest file that is read, in bytes. Settings files are a thousand times smaller.
pub const MAX_BYTES: usize = 8 << 20;
/// The deepest nesting that is read.
pub const MAX_DEPTH: usize = 100;

/// The language of a file, with the tool's own dialect of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Language {
    /// TOML 1.1, as the `toml` crate reads it.
    Toml,
    /// JSON in one of its dialects.
    Json(JsonDialect),
    /// YAML: one document.
    Yaml,
    /// Lines of `NAME=value`.
    Dotenv(DotenvDialect),
    /// The whole file is the value, white space around it left out; a byte order mark is a part of it.
    Text,
}

/// What a tool's own JSON reader accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct JsonDialect {
    /// `//` and `/* */`.
    pub comments: bool,
    /// A comma behind the last element.
    pub trailing_commas: bool,
    /// All of JSON5: single quotes, names without quotes, hexadecimal numbers. It includes the two above.
    pub json5: bool,
    /// Whether the tool reads a file that starts with a byte order mark.
    pub bom: bool,
}

impl JsonDialect {
    /// JSON as `JSON.parse` reads it.
    pub const STRICT: Self = Self { comments: false, trailing_commas: false, json5: false, bom: false };
    /// Comments taken out, then `JSON.parse`: a trailing comma or a byte order mark is fatal (Gemini CLI, Qwen Code).
    pub const COMMENTS: Self = Self { comments: true, ..Self::STRICT };
    /// Comments and trailing commas (opencode, Zed).
    pub const JSONC: Self = Self { comments: true, trailing_commas: true, json5: false, bom: true };
    /// JSON5 (OpenClaw).
    pub const JSON5: Self = Self { comments: true, trailing_commas: true, json5: true, bom: true };
    /// The same, and a byte order mark is read over (Claude Code).
    #[must_use]
    pub const fn with_bom(self) -> Self {
        Self { bom: true, ..self }
    }
}

/// Whose rules a `.env` file is read by. They differ in escapes, and in a `#` without a space before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum DotenvDialect {
    /// npm's `dotenv` (Gemini CLI, Qwen Code).
    Node,
    /// `python-dotenv` (aider). `${NAME}` is left as it stands: it needs the environment.
    Python,
}

/// A value to be written.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Value {
    /// A text.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A finite number with a decimal point.
    Float(f64),
    /// A list.
    List(Vec<Value>),
    /// Keys with their values, in this order; no key twice.
    Table(Vec<(String, Value)>),
}

impl Value {
    /// A text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

/// Where a missing key goes within its table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Behind the table's last key.
    #[default]
    Last,
    /// Behind this key of the same table; behind the last when there is none.
    After(String),
}

/// One change of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// See [`Document::set`].
    Set {
        /// Keys from the root.
        path: Vec<String>,
        /// The new value.
        value: Value,
        /// Where a missing key goes.
        place: Placement,
    },
    /// See [`Document::remove`].
    Remove {
        /// Keys from the root.
        path: Vec<String>,
    },
}

impl Change {
    /// Sets a value; a missing key goes behind its table's last.
    #[must_use]
    pub fn set(path: &[&str], value: Value) -> Self {
        Self::Set { path: path.iter().map(|&key| key.to_owned()).collect(), value, place: Placement::Last }
    }

    /// Removes a key.
    #[must_use]
    pub fn remove(path: &[&str]) -> Self {
        Self::Remove { path: path.iter().map(|&key| key.to_owned()).collect() }
    }
}

/// A file's bytes with what they say.
pub struct Document {
    bytes: Vec<u8>,
    language: Language,
    root: Node,
    comments: Vec<Range<usize>>,
}

impl fmt::Debug for Document {
    /// Without the content: a settings file may hold keys.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("language", &self.language).field("bytes", &self.bytes.len()).finish()
    }
}

/// What a language's reader makes of a file: the root, and where the comments are.
struct Reading {
    root: Node,
    comments: Vec<Range<usize>>,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

impl Document {
    /// Reads a file by the rules of its tool.
    ///
    /// # Errors
    ///
    /// Where the tool could not read it either, and for what cannot be kept faithfully as a whole: too large, too deep,
    /// several YAML documents.
    pub fn parse(bytes: &[u8], language: Language) -> Result<Self, ParseError> {
        let reading = read(bytes, language)?;
        Ok(Self { bytes: bytes.to_vec(), language, root: reading.root, comments: reading.comments })
    }

    /// A new file with these values, as a person would begin it: the bytes.
    ///
    /// # Errors
    ///
    /// When the language cannot hold a value.
    pub fn fresh(language: Language, changes: &[Change]) -> Result<Vec<u8>, EditError> {
        let start: &[u8] = if matches!(language, Language::Json(_)) { b"{\n}\n" } else { b"" };
        let document = Self::parse(start, language)?;
        apply(start, &document.edit(changes)?)
    }

    /// The root: a table, except in [`Language::Text`], and in files whose root is something else.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The language that the file was read as.
    #[must_use]
    pub const fn language(&self) -> Language {
        self.language
    }

    /// The original bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The value at a path of keys; a number steps into a list. Of a repeated key the last one counts, as in the tools.
    /// In YAML, aliases and merge keys are followed.
    #[must_use]
    pub fn get(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, key| node.child(key))
    }

    /// The text at a path.
    #[must_use]
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.as_text()
    }

    /// Replaces the value at a path, or adds the key, and the tables above it, where the tool will read it.
    ///
    /// # Errors
    ///
    /// When the form of the file does not allow it faithfully, or the proof fails.
    pub fn set(&self, path: &[&str], value: &Value, place: &Placement) -> Result<Vec<Splice>, EditError> {
        let plan = match self.language {
            Language::Toml => toml_edits::set(self, path, value, place)?,
            Language::Json(_) => json_edit::set(self, path, value, place)?,
            Language::Yaml => yaml_edit::set(self, path, value, place)?,
            Language::Dotenv(dialect) => dotenv::set(self, dialect, path, value)?,
            Language::Text => text::set(self, path, value)?,
        };
        let splices = self.splices(plan, path);
        self.prove(&splices, path, Some(value))?;
        Ok(splices)
    }

    /// Takes a key and its value out.
    ///
    /// # Errors
    ///
    /// When there is no such key, the form of the file does not allow it faithfully, or the proof fails.
    pub fn remove(&self, path: &[&str]) -> Result<Vec<Splice>, EditError> {
        if path.is_empty() || self.get(path).is_none() {
            return Err(EditError::NotFound { path: dotted(path) });
        }
        let plan = match self.language {
            Language::Toml => toml_edits::remove(self, path)?,
            Language::Json(_) => json_edit::remove(self, path)?,
            Language::Yaml => yaml_edit::remove(self, path)?,
            Language::Dotenv(_) => dotenv::remove(self, path)?,
            Language::Text => return Err(EditError::NotFound { path: dotted(path) }),
        };
        let splices = self.splices(plan, path);
        self.prove(&splices, path, None)?;
        Ok(splices)
    }

    /// Several changes at once, as splices of this document's bytes. Later changes see what earlier ones have made.
    ///
    /// # Errors
    ///
    /// As for the single changes.
    pub fn edit(&self, changes: &[Change]) -> Result<Vec<Splice>, EditError> {
        let mut bytes = self.bytes.clone();
        let mut all: Vec<Splice> = Vec::new();
        for change in changes {
            let document = Self::parse(&bytes, self.language)?;
            let splices = match change {
                Change::Set { path, value, place } => document.set(&as_strs(path), value, place)?,
                Change::Remove { path } => document.remove(&as_strs(path))?,
            };
            bytes = apply(&bytes, &splices)?;
            all = splice::followed_by(&self.bytes, all, splices)?;
        }
        if apply(&self.bytes, &all)? != bytes {
            return Err(EditError::Unproven { path: String::new() });
        }
        Ok(all)
    }

    /// Whether the file starts with a byte order mark.
    #[must_use]
    pub fn has_bom(&self) -> bool {
        self.bytes.starts_with(BOM)
    }

    /// Whether there is any comment.
    #[must_use]
    pub fn has_comments(&self) -> bool {
        !self.comments.is_empty()
    }

    /// The comments, with their marks (`#`, `//`, `/* */`), in the file's order.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.comments.iter().filter_map(|range| std::str::from_utf8(self.bytes.get(range.clone())?).ok())
    }

    /// The paths of keys that occur more than once in their table, each named once, with dots between the keys.
    #[must_use]
    pub fn duplicates(&self) -> Vec<String> {
        let mut out = Vec::new();
        self.root.duplicates(&mut Vec::new(), &mut out);
        out
    }

    /// Line and column of a node, for messages.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        position(&self.bytes, offset)
    }

    /// The file as text. Readers have checked it.
    fn source(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }

    /// What a line of this file ends with: what its first line ends with.
    fn line_ending(&self) -> &'static str {
        match self.source().split_once('\n') {
            Some((line, _)) if line.ends_with('\r') => "\r\n",
            _ => "\n",
        }
    }

    fn refused(&self, refusal: Refusal, path: &[&str], offset: usize) -> EditError {
        EditError::Refused { refusal, path: dotted(path), at: self.position(offset) }
    }

    fn splices(&self, plan: Vec<Replacement>, path: &[&str]) -> Vec<Splice> {
        let key = dotted(path);
        let mut splices: Vec<_> = plan
            .into_iter()
            .map(|(range, new)| Splice {
                start: range.start,
                end: range.end,
                old: self.bytes[range].to_vec(),
                new: new.into_bytes(),
                key: key.clone(),
            })
            .collect();
        splices.sort_by_key(|splice| (splice.start, splice.end));
        splices
    }

    /// Reads the result again: the value is there, and everything else is as it was.
    fn prove(&self, splices: &[Splice], path: &[&str], value: Option<&Value>) -> Result<(), EditError> {
        let unproven = || EditError::Unproven { path: dotted(path) };
        let after = apply(&self.bytes, splices)?;
        let after = read(&after, self.language).map_err(|_| unproven())?.root;
        if value.is_some_and(|value| {
            !path.iter().try_fold(&after, |node, key| node.child(key)).is_some_and(|node| node.is(value))
        }) {
            return Err(unproven());
        }
        // The part of the path that existed before: what is new below it may not be counted as a difference.
        let known = (0..path.len()).take_while(|&at| self.get(&path[..=at]).is_some()).count();
        let cut = &path[..(known + 1).min(path.len())];
        let is_ordered = !matches!(self.language, Language::Toml);
        if self.root.same_without(&after, cut, is_ordered) { Ok(()) } else { Err(unproven()) }
    }
}

/// A range of the original bytes, and the text that takes its place.
type Replacement = (Range<usize>, String);

fn as_strs(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// A path in words.
fn dotted(path: &[&str]) -> String {
    path.join(".")
}

fn read(bytes: &[u8], language: Language) -> Result<Reading, ParseError> {
    if bytes.len() > MAX_BYTES {
        return Err(ParseError::new(bytes, 0, ParseErrorKind::TooLarge, "the file is too large"));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ParseError::new(bytes, error.valid_up_to(), ParseErrorKind::NotUtf8, "this is not UTF-8"))?;
    match language {
        Language::Toml => toml::read(text),
        Language::Json(dialect) => json::read(text, dialect),
        Language::Yaml => yaml::read(text),
        Language::Dotenv(dialect) => Ok(dotenv::read(text, dialect)),
        Language::Text => Ok(text::read(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{GEMINI, JSON, JSONC, NODE, changed, parsed};
    use super::*;

    #[test]
    fn keys_are_removed_with_their_lines() {
        for (language, before, path, after) in [
            (Language::Toml, "a = 1\nb = 2 # c\n# d\n[t]\n", "b", "a = 1\n# d\n[t]\n"),
            (Language::Toml, "a = 1\r\nb = 2", "b", "a = 1"),
            (Language::Toml, "t = { a = 1, b = 2 }\n", "t/b", "t = { a = 1 }\n"),
            (Language::Toml, "t = { a = 1, b = 2 }\n", "t/a", "t = { b = 2 }\n"),
            (Language::Toml, "[t]\na = [\n1]\nb = 2\n", "t/a", "[t]\nb = 2\n"),
            (JSON, "{\n  \"a\": 1,\n  \"b\": 2\n}", "b", "{\n  \"a\": 1\n}"),
            (JSON, "{\n  \"a\": 1,\n  \"b\": 2\n}", "a", "{\n  \"b\": 2\n}"),
            (JSON, "{\"a\": 1, \"b\": 2}", "a", "{\"b\": 2}"),
            (JSON, "{\"a\": 1, \"b\": 2}", "b", "{\"a\": 1}"),
            (JSON, "{ \"a\": 1 }", "a", "{  }"),
            (JSONC, "{\n  \"a\": 1, // a\n  \"b\": 2, // b\n}", "b", "{\n  \"a\": 1, // a\n}"),
            (JSONC, "{\n  \"a\": 1, // a\n  \"b\": 2 // b\n}", "b", "{\n  \"a\": 1 // a\n}"),
            (Language::Yaml, "a: 1\nb: 2 # c\n", "b", "a: 1\n"),
            (Language::Yaml, "a: 1\nb:\n  c: 1\n  d: |\n    x\nz: 1\n", "b", "a: 1\nz: 1\n"),
            (Language::Yaml, "a: {x: 1, y: 2}\n", "a/y", "a: {x: 1}\n"),
            (NODE, "A=1\nexport K=v\nB=2\n", "K", "A=1\nB=2\n"),
        ] {
            let path: Vec<&str> = path.split('/').collect();
            assert_eq!(changed(language, before, Change::remove(&path)).as_deref(), Ok(after), "{before:?}");
        }
        let missing = changed(JSON, "{}", Change::remove(&["a"]));
        assert_eq!(missing, Err(EditError::NotFound { path: "a".to_owned() }));
    }

    #[test]
    fn several_changes_are_one_edit() {
        let edit = |language, before: &str, changes: &[Change]| {
            let splices = parsed(language, before).edit(changes).unwrap();
            let after = apply(before.as_bytes(), &splices).unwrap();
            assert_eq!(apply(&after, &reversed(&splices)).as_deref(), Ok(before.as_bytes()));
            (String::from_utf8(after).unwrap(), splices.into_iter().map(|splice| splice.key).collect::<Vec<_>>())
        };
        let both = [Change::set(&["model"], Value::text("b")), Change::set(&["provider"], Value::text("p"))];
        let keys = vec!["model".to_owned(), "provider".to_owned()];
        assert_eq!(
            edit(Language::Toml, "[t]\n", &both),
            ("model = \"b\"\nprovider = \"p\"\n[t]\n".to_owned(), keys.clone())
        );
        assert_eq!(
            edit(Language::Toml, "provider='a'\n", &both),
            ("provider='p'\nmodel = \"b\"\n".to_owned(), vec!["provider".to_owned(), "model".to_owned()])
        );
        assert_eq!(
            edit(JSON, "{\"model\": \"a\"}", &both),
            ("{\"model\": \"b\", \"provider\": \"p\"}".to_owned(), keys.clone())
        );
        assert_eq!(edit(JSON, "{}", &both).0, "{ \"model\": \"b\", \"provider\": \"p\" }");
        assert_eq!(edit(Language::Yaml, "", &both), ("model: b\nprovider: p\n".to_owned(), keys));
        assert_eq!(Document::fresh(JSON, &both).unwrap(), b"{\n  \"model\": \"b\",\n  \"provider\": \"p\"\n}\n");
        let again = [Change::set(&["model"], Value::text("b")), Change::remove(&["model"])];
        assert_eq!(edit(Language::Toml, "x = 1\n", &again).0, "x = 1\n");
    }

    #[test]
    fn duplicates_and_comments_are_told() {
        let document = parsed(GEMINI, "{ // c\n \"a\": 1, \"t\": {\"x\": 1, \"x\": 2}, \"a\": 2, \"a\": 3 /* d */ }");
        assert_eq!(document.duplicates(), ["t.x", "a"]);
        assert_eq!(document.comments().collect::<Vec<_>>(), ["// c", "/* d */"]);
        let document = parsed(Language::Toml, "a = \"#\" # c\n\"#\" = [1, # d\n]\n[\"#2\"] # e\n");
        assert_eq!(document.comments().collect::<Vec<_>>(), ["# c", "# d", "# e"]);
        let document = parsed(Language::Yaml, "a: b#c # d\nt: |\n  # no\n# e\nq: '# no'\n");
        assert_eq!(document.comments().collect::<Vec<_>>(), ["# d", "# e"]);
        assert!(!parsed(JSON, "{\"a\": \"// x\"}").has_comments());
        assert_eq!(document.position(5), Position { line: 1, column: 6 });
        assert_eq!(position("\u{feff}é\nx".as_bytes(), 5), Position { line: 1, column: 2 });
    }

    #[test]
    fn stale_bytes_are_not_touched() {
        let splices = parsed(Language::Toml, "m = \"a\"\n").set(&["m"], &Value::text("b"), &Placement::Last).unwrap();
        assert_eq!(apply(b"m = \"c\"\n", &splices), Err(EditError::Stale { start: 5 }));
        assert_eq!(apply(b"m", &splices), Err(EditError::Stale { start: 5 }));
    }
}
