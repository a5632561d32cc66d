//! A change of the file taken back, or made again, on the file as it is by now.
//!
//! A change is what differs between two texts of the file, value by value; a table with an `id` or a `name` is known by it,
//! wherever it stands. These values alone are written, each proven to change nothing else, so that what others have written
//! since stays byte for byte. Where a value is by now neither what the change left nor what it is to become, it is told.

use std::collections::BTreeMap;
use std::ops::Range;

use similar::{DiffTag, TextDiff};

use super::{block, comments, is_list, is_tables};
use crate::edit::{Document, Kind, Node, Placement, Splice, Style, toml_text};
use crate::settings::file::SettingsFile;
use crate::settings::save::WriteError;

/// Keys from the root; a table of a list stands under its name: `target`, `relay/m`, `price`.
pub type Spot = Vec<String>;

/// A value that is neither what a change left nor what it is to become; or a comment, from its sign on, that somebody else wrote
/// and that would go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Third {
    /// Where.
    pub spot: Spot,
    /// What stands there, as the file writes it; `None` is nothing.
    pub now: Option<String>,
    /// What stands there after the walk; `None` is nothing. The same as now where there is no place for it any more.
    pub wanted: Option<String>,
}

/// A change walked back or again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The file then, the third values overwritten; `None` when there is nothing that could be written.
    pub file: Option<SettingsFile>,
    /// The values that somebody else has given since.
    pub thirds: Vec<Third>,
}

/// What a text says, a value a spot.
type Facts = BTreeMap<Spot, String>;

/// One step on the way.
enum Step {
    /// What stands at a spot becomes what the other text has there, or goes.
    Value(Spot),
    /// A list loses or gains names: what it holds then.
    List(Spot, Vec<String>),
    /// A table of a list comes or goes.
    Table(String, String),
}

impl SettingsFile {
    /// Walks from one text of this file to another, on the text that it has now.
    ///
    /// # Errors
    ///
    /// When one of the three is not TOML, or the file is written in a form that cannot be changed faithfully.
    pub fn walked(&self, from: &str, to: &str) -> Result<Walk, WriteError> {
        if self.text() == from {
            return Ok(Walk { file: Some(self.with_text(to)), thirds: Vec::new() });
        }
        let (from, to) = (self.with_text(from), self.with_text(to));
        let (old, new, now) = (from.document()?, to.document()?, self.document()?);
        let names = Names::between(&old, &new);
        let (left, wanted) = (facts(&old, &Names::default()), facts(&new, &names));
        let (mut steps, mut thirds) = (Vec::new(), Vec::new());
        let here = facts(&now, &Names::default());
        let has = |facts: &Facts, table: &[String]| facts.keys().any(|spot| spot.starts_with(table));

        let changed = left.keys().chain(wanted.keys().filter(|spot| !left.contains_key(*spot)));
        for spot in changed.filter(|spot| left.get(*spot) != wanted.get(*spot)) {
            let table = table_of(&old, spot).or_else(|| table_of(&new, spot));
            let [was, is_to_be, is] = [&left, &wanted, &here].map(|facts| facts.get(spot).cloned());
            let third = || Third { spot: spot.clone(), now: is.clone(), wanted: is_to_be.clone() };
            if let Some(table) = table.filter(|table| has(&left, table) != has(&wanted, table) || !has(&here, table)) {
                let comes = !has(&left, table) && has(&wanted, table);
                let goes = has(&left, table) && !has(&wanted, table);
                let step = || Step::Table(table[0].clone(), table[1].clone());
                let is_known = |steps: &[Step]| {
                    steps
                        .iter()
                        .any(|step| matches!(step, Step::Table(what, name) if [what, name] == [&table[0], &table[1]]))
                };
                match has(&here, table) {
                    // It is there again, or gone, by another hand.
                    true if comes && is != is_to_be => {
                        thirds.push(third());
                        steps.push(Step::Value(spot.clone()));
                    }
                    false if !comes && !goes && is_to_be.is_some() => thirds.push(third()),
                    true if goes => {
                        if is != was && is.is_some() {
                            thirds.push(third());
                        }
                        if !is_known(&steps) {
                            let own = here.iter().filter(|(other, _)| other.starts_with(table));
                            let more = own.filter(|(other, _)| !left.contains_key(*other));
                            thirds.extend(more.map(|(other, now)| Third {
                                spot: other.clone(),
                                now: Some(now.clone()),
                                wanted: None,
                            }));
                            steps.push(step());
                        }
                    }
                    false if comes && !is_known(&steps) => steps.push(step()),
                    _ => {}
                }
                continue;
            }
            if is == is_to_be {
                continue;
            }
            if is != was {
                match merged([(&old, spot), (&new, &names.there(spot)), (&now, spot)]) {
                    Some(items) => {
                        steps.push(Step::List(spot.clone(), items));
                        continue;
                    }
                    None => thirds.push(third()),
                }
            }
            steps.push(Step::Value(spot.clone()));
        }
        // A table's own name last: until then it is found under the one that it has.
        steps.sort_by_key(|step| matches!(step, Step::Value(spot) if names.is_renamed(spot)));
        let is_nothing = steps.is_empty() && !thirds.is_empty();
        let (mut file, mut comments) = (self.clone(), Vec::new());
        for step in &steps {
            let before = file.document()?;
            file.step(step, &to, &names)?;
            let spot = match step {
                Step::Value(spot) | Step::List(spot, _) => spot.clone(),
                Step::Table(what, name) => vec![what.clone(), name.clone()],
            };
            // What somebody wrote beside a value is theirs, too.
            let lost = comments::lost(&before, &file.document()?, &old);
            comments.extend(lost.into_iter().map(|comment| Third {
                spot: spot.clone(),
                now: Some(comment),
                wanted: None,
            }));
        }
        // What is told is what comes of it: a table that is gone does not take its value back.
        let then = facts(&file.document()?, &Names::default());
        for third in &mut thirds {
            third.wanted = then.get(&names.there(&third.spot)).cloned();
        }
        thirds.append(&mut comments);
        Ok(Walk { file: (!is_nothing).then_some(file), thirds })
    }

    /// What stands at a spot, as a [`Third`] has it.
    pub fn says(&self, spot: &[String]) -> Option<String> {
        facts(&self.document().ok()?, &Names::default()).remove(spot)
    }

    fn step(&mut self, step: &Step, to: &Self, names: &Names) -> Result<(), WriteError> {
        let (now, new) = (self.document()?, to.document()?);
        let mut expected = facts(&now, &Names::default());
        match step {
            Step::Table(what, name) => {
                let what = known(what)?;
                if let Ok((.., range)) = block(&now, what, key_of(what), name) {
                    expected.retain(|spot, _| !spot.starts_with(&[what.to_owned(), name.clone()]));
                    return self.proven(&expected, [vec![self.cut(range)]]);
                }
                let (.., range) = block(&new, what, key_of(what), name)?;
                let own = facts(&new, names).into_iter();
                expected.extend(own.filter(|(spot, _)| spot.starts_with(&[what.to_owned(), name.clone()])));
                let lines = to.cut(range.clone());
                let (raw, text) = (to.source.body()[lines.start..lines.end].to_owned(), &to.source.body()[range]);
                let places = self.places(to, lines.start).map(|at| vec![self.put_in(at, &raw)]);
                let last = self.append_block(&now, what, &format!("{text}\n").replace("\r\n", "\n")).ok();
                self.proven(&expected, places.into_iter().chain(last.map(|last| vec![last])))
            }
            Step::List(spot, items) => {
                let path = path(&now, spot).ok_or(WriteError::Unfaithful { what: "targets" })?;
                let list = now.get(&strs(&path)).ok_or(WriteError::Unfaithful { what: "targets" })?;
                let splices = self.relisted(list, items)?;
                expected.insert(spot.clone(), written_list(items));
                self.proven(&expected, [splices])
            }
            Step::Value(spot) => {
                let there = names.there(spot);
                let wanted = path(&new, &there).and_then(|path| Some((new.get(&strs(&path))?, path)));
                let here = path(&now, spot);
                match (wanted, here) {
                    (Some((node, _)), Some(here)) => {
                        let own = now.get(&strs(&here)).ok_or(WriteError::Unfaithful { what: "settings" })?;
                        let raw = &to.source.body()[node.span.clone()];
                        expected.insert(spot.clone(), written(node));
                        if names.is_renamed(spot) {
                            expected = expected.into_iter().map(|(own, value)| (names.moved(own), value)).collect();
                        }
                        self.proven(&expected, [vec![self.exact(own.span.clone(), raw)]])
                    }
                    (Some((node, there)), None) => {
                        expected.insert(spot.clone(), written(node));
                        let lines = to.lines_of(&new, &there, &now);
                        let raw: String = lines.iter().map(|lines| &to.source.body()[lines.clone()]).collect();
                        let start = lines.first().map_or(0, |lines| lines.start);
                        let places = self.places(to, start).map(|at| vec![self.put_in(at, &raw)]);
                        let at = path_to_add(&now, spot);
                        let last = node.to_value().and_then(|value| now.set(&strs(&at), &value, &Placement::Last).ok());
                        self.proven(&expected, places.into_iter().chain(last))
                    }
                    (None, Some(here)) => {
                        let splices =
                            now.remove(&strs(&here)).map_err(|_| WriteError::Unfaithful { what: "settings" })?;
                        expected.remove(spot);
                        self.proven(&expected, [splices])?;
                        self.drop_empty(&here, &new)
                    }
                    (None, None) => Ok(()),
                }
            }
        }
    }

    /// Takes a table's header out that says nothing any more and was not there before.
    fn drop_empty(&mut self, of: &[String], new: &Document) -> Result<(), WriteError> {
        let (now, above) = (self.document()?, &of[..of.len() - 1]);
        let is_empty = |node: &&Node| node.is_table() && node.style == Style::Block && node.entries().is_empty();
        let Some(table) = now.get(&strs(above)).filter(is_empty) else { return Ok(()) };
        if above.is_empty() || new.get(&strs(above)).is_some() {
            return Ok(());
        }
        let expected = facts(&now, &Names::default());
        self.proven(&expected, [vec![self.cut(table.span.clone())]])
    }

    /// Makes the first of these edits after which the file says what is expected.
    fn proven(&mut self, expected: &Facts, ways: impl IntoIterator<Item = Vec<Splice>>) -> Result<(), WriteError> {
        for way in ways {
            let mut tried = self.clone();
            let is_meant = tried.splice(way).is_ok()
                && tried.document().is_ok_and(|document| facts(&document, &Names::default()) == *expected);
            if is_meant {
                *self = tried;
                return Ok(());
            }
        }
        Err(WriteError::Unfaithful { what: "settings" })
    }

    /// Where the line that begins at an offset of another text would stand in this one: behind what stands before it there,
    /// or in front of what follows.
    fn places(&self, other: &Self, offset: usize) -> [usize; 2] {
        let (theirs, own) = (other.source.body(), self.source.body());
        let line = theirs[..offset].matches('\n').count();
        let starts: Vec<usize> = std::iter::once(0).chain(own.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let at = |line: usize| starts.get(line).copied().unwrap_or(own.len());
        let diff = TextDiff::from_lines(theirs, own);
        let op = diff.ops().iter().find(|op| op.old_range().contains(&line));
        match op.map(|op| (op.tag(), op.old_range(), op.new_range())) {
            Some((DiffTag::Equal, old, new)) => [at(new.start + line - old.start); 2],
            Some((_, old, new)) if old.start == line => [at(new.start), at(new.end)],
            Some((_, _, new)) => [at(new.end), at(new.start)],
            None => [own.len(); 2],
        }
    }

    /// Whole lines of another text of this file at the start of a line.
    fn put_in(&self, at: usize, lines: &str) -> Splice {
        let body = self.source.body();
        let ending = if body.contains("\r\n") { "\r\n" } else { "\n" };
        let before = if at == 0 || body[..at].ends_with('\n') { "" } else { ending };
        let after = if lines.ends_with('\n') || at == body.len() { "" } else { ending };
        self.exact(at..at, &format!("{before}{lines}{after}"))
    }

    /// Bytes of the body and what takes their place, as it is.
    fn exact(&self, range: Range<usize>, text: &str) -> Splice {
        let old = self.source.body()[range.clone()].into();
        Splice { start: range.start, end: range.end, old, new: text.into(), key: String::new() }
    }

    /// The lines that write a value, with its table's head where the other text has none.
    fn lines_of(&self, own: &Document, path: &[String], other: &Document) -> Vec<Range<usize>> {
        let (above, key) = path.split_at(path.len() - 1);
        let table = own.get(&strs(above));
        let entry = table.and_then(|table| table.entries().iter().rev().find(|entry| entry.key == key[0]));
        let line = entry.map(|entry| self.line_start(entry.key_span.start)..self.line_end(entry.value.span.end));
        let is_headed = |node: &&Node| node.style == Style::Block && !above.is_empty();
        let is_new = above.iter().all(|key| key.parse::<usize>().is_err()) && other.get(&strs(above)).is_none();
        let head = table.filter(is_headed).filter(|_| is_new).map(|table| {
            let splice = self.cut(table.span.clone());
            splice.start..splice.end
        });
        head.into_iter().chain(line).collect()
    }

    /// A list of names with others taken out and put in.
    fn relisted(&self, list: &Node, items: &[String]) -> Result<Vec<Splice>, WriteError> {
        let own: Vec<&str> = list.items().iter().filter_map(Node::as_text).collect();
        let gone = own.iter().filter(|name| !items.iter().any(|item| item == *name));
        let mut splices: Vec<Splice> = gone.flat_map(|name| self.pull(list, name)).collect();
        if !splices.is_empty() {
            return Ok(splices);
        }
        let mut before: Option<usize> = None;
        for item in items {
            if let Some(at) = own.iter().position(|name| name == item) {
                before = Some(at);
                continue;
            }
            let name = toml_text(item);
            let first = list.items().first().ok_or(WriteError::Unfaithful { what: "targets" })?;
            splices.push(match before {
                Some(at) => {
                    let end = list.items()[at].span.end;
                    self.exact(end..end, &format!(", {name}"))
                }
                None => self.exact(first.span.start..first.span.start, &format!("{name}, ")),
            });
        }
        Ok(splices)
    }
}

/// Tables that have one name in one text and another one in the other.
#[derive(Default)]
struct Names(Vec<Renamed>);

struct Renamed {
    what: String,
    old: String,
    new: String,
}

impl Names {
    /// A table that stands where one of another name stood, all others being the same.
    fn between(old: &Document, new: &Document) -> Self {
        let of = |document: &Document| -> BTreeMap<String, Vec<String>> {
            let lists = document.root().entries().iter().filter(|entry| is_tables(&entry.value));
            lists
                .map(|entry| {
                    let names = entry.value.items().iter().enumerate().map(|(at, table)| name_of(table, at));
                    (entry.key.clone(), names.collect())
                })
                .collect()
        };
        let (old, new) = (of(old), of(new));
        let mut out = Vec::new();
        for (what, old) in old {
            let Some(new) = new.get(&what).filter(|new| new.len() == old.len()) else { continue };
            let mut others = old.into_iter().zip(new).filter(|(old, new)| old != *new);
            if let (Some((old, new)), None) = (others.next(), others.next()) {
                out.push(Renamed { what, old, new: new.clone() });
            }
        }
        Self(out)
    }

    /// A spot as the new text has it.
    fn there(&self, spot: &[String]) -> Spot {
        self.renamed(spot.to_vec(), |one| (&one.old, &one.new))
    }

    /// The same, of a spot that the rename itself moves.
    fn moved(&self, spot: Spot) -> Spot {
        self.renamed(spot, |one| (&one.old, &one.new))
    }

    /// A spot of the new text as the old one has it.
    fn back(&self, spot: Spot) -> Spot {
        self.renamed(spot, |one| (&one.new, &one.old))
    }

    fn renamed<'a>(&'a self, mut spot: Spot, way: impl Fn(&'a Renamed) -> (&'a String, &'a String)) -> Spot {
        if let [what, name, ..] = &mut spot[..]
            && let Some((_, to)) =
                self.0.iter().filter(|one| one.what == *what).map(way).find(|(from, _)| *from == name)
        {
            name.clone_from(to);
        }
        spot
    }

    /// Whether this is the very key that names such a table.
    fn is_renamed(&self, spot: &[String]) -> bool {
        let [what, name, key] = spot else { return false };
        matches!(&**key, "id" | "name") && self.0.iter().any(|one| (&one.what, &one.old) == (what, name))
    }
}

/// All that a text says; spots of renamed tables under the names of the old text.
fn facts(document: &Document, names: &Names) -> Facts {
    let mut out = Facts::new();
    gather(document.root(), &mut Vec::new(), &mut out);
    out.into_iter().map(|(spot, value)| (names.back(spot), value)).collect()
}

fn gather(node: &Node, spot: &mut Spot, out: &mut Facts) {
    if is_tables(node) {
        for (at, table) in node.items().iter().enumerate() {
            spot.push(name_of(table, at));
            gather(table, spot, out);
            spot.pop();
        }
    } else if node.is_table() && node.style != Style::Flow {
        for entry in node.entries() {
            spot.push(entry.key.clone());
            gather(&entry.value, spot, out);
            spot.pop();
        }
    } else {
        out.insert(spot.clone(), written(node));
    }
}

/// What a table of a list is known by: its name, or else its place.
fn name_of(table: &Node, at: usize) -> String {
    let name = ["id", "name"].into_iter().find_map(|key| table.child(key)?.as_text());
    name.map_or_else(|| format!("#{}", at + 1), str::to_owned)
}

/// A spot as a path of this document; `None` when there is nothing.
fn path(document: &Document, spot: &[String]) -> Option<Vec<String>> {
    let mut node = document.root();
    let mut out = Vec::new();
    for step in spot {
        let step = if is_tables(node) {
            let mut tables = node.items().iter().enumerate();
            tables.find(|(at, table)| name_of(table, *at) == *step)?.0.to_string()
        } else {
            step.clone()
        };
        node = node.child(&step)?;
        out.push(step);
    }
    Some(out)
}

/// The path at which a value that is not there would be added.
fn path_to_add(document: &Document, spot: &[String]) -> Vec<String> {
    let known = (0..spot.len()).rev().find_map(|n| Some((path(document, &spot[..n])?, n)));
    let (mut out, n) = known.unwrap_or_default();
    out.extend_from_slice(&spot[n..]);
    out
}

/// The table of a list in which a spot stands, as a spot of its own.
fn table_of<'a>(document: &Document, spot: &'a [String]) -> Option<&'a [String]> {
    let is_in_list = document.get(&[spot.first()?]).is_some_and(is_tables);
    (is_in_list && spot.len() > 2).then(|| &spot[..2])
}

/// A value as text, however it is spaced and quoted.
fn written(node: &Node) -> String {
    match &node.kind {
        Kind::Null => String::new(),
        Kind::Bool(value) => value.to_string(),
        Kind::Number(value) | Kind::Date(value) => value.clone(),
        Kind::Text(text) => toml_text(text),
        Kind::List(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        Kind::Table(entries) => {
            let mut pairs: Vec<String> =
                entries.iter().map(|entry| format!("{} = {}", entry.key, written(&entry.value))).collect();
            pairs.sort();
            format!("{{ {} }}", pairs.join(", "))
        }
    }
}

fn written_list(items: &[String]) -> String {
    format!("[{}]", items.iter().map(|item| toml_text(item)).collect::<Vec<_>>().join(", "))
}

/// What a list of names becomes that somebody else has changed too, where the change only took names out or put some in.
fn merged([old, new, now]: [(&Document, &Spot); 3]) -> Option<Vec<String>> {
    let names = |(document, spot): (&Document, &Spot)| -> Option<Vec<String>> {
        let list = path(document, spot)?;
        let list = document.get(&strs(&list)).filter(|list| is_list(list))?;
        list.items().iter().map(|item| item.as_text().map(str::to_owned)).collect()
    };
    let (old, new, mut now) = (names(old)?, names(new)?, names(now)?);
    let is_within = |few: &[String], many: &[String]| {
        let mut many = many.iter();
        few.iter().all(|name| many.any(|other| other == name))
    };
    if is_within(&new, &old) {
        now.retain(|name| new.contains(name) || !old.contains(name));
    } else if is_within(&old, &new) {
        let mut at = 0;
        for name in &new {
            match now.iter().position(|own| own == name) {
                Some(found) => at = found + 1,
                None if old.contains(name) => {}
                None => {
                    now.insert(at, name.clone());
                    at += 1;
                }
            }
        }
    } else {
        return None;
    }
    (!now.is_empty()).then_some(now)
}

/// The lists of tables that a change adds to and takes from.
fn known(what: &str) -> Result<&'static str, WriteError> {
    let mut all = ["provider", "target", "chain"].into_iter();
    all.find(|one| *one == what).ok_or(WriteError::Unfaithful { what: "settings" })
}

/// The key that names such a table.
fn key_of(what: &str) -> &'static str {
    if what == "chain" { "name" } else { "id" }
}

fn strs(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
