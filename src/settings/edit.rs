//! Changes of the settings file that leave every other byte alone.
//!
//! A parser's spans say where things stand, and only those bytes are replaced: comments, order, spacing, line endings
//! and a byte order mark survive. A form that cannot be changed like that is refused. Nothing is on disk before
//! [`SettingsFile::save`].

use std::ops::Range;
use std::time::Duration;

use toml_edit::{Array, Document, Item, Table, TableLike};

use super::blocks::{self, quoted};
use super::discovery::{Proposal, ProposedProvider};
use super::file::SettingsFile;
use super::save::WriteError;
use super::source::LineEnding;
use super::{Chain, ThemeChoice, duration};
use crate::core::target::{ProviderId, Role, TargetId};
use crate::i18n::Lang;
use crate::toolprobe::Program;

/// One value that the program may set.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// `[schedule] every`
    Every(Duration),
    /// `[schedule] slow_every`
    SlowEvery(Duration),
    /// `[notices] recovered`
    Recovered(bool),
    /// `[ui] language`; `None` follows the locale.
    Language(Option<Lang>),
    /// `[ui] theme`
    Theme(ThemeChoice),
    /// `[ui] zoom`
    Zoom(f32),
    /// `[ui] zone`: an IANA name; `None` is the system's.
    Zone(Option<String>),
    /// `[data] keep_days`
    KeepDays(u32),
}

impl Field {
    /// Table, key, and the value as TOML.
    fn parts(&self) -> (&'static str, &'static str, String) {
        match self {
            Self::Every(every) => ("schedule", "every", quoted(&duration::text(*every))),
            Self::SlowEvery(every) => ("schedule", "slow_every", quoted(&duration::text(*every))),
            Self::Recovered(on) => ("notices", "recovered", on.to_string()),
            Self::Language(language) => ("ui", "language", quoted(language.map_or("system", Lang::tag))),
            Self::Theme(theme) => ("ui", "theme", quoted(theme.name())),
            Self::Zoom(zoom) => ("ui", "zoom", format!("{zoom:?}")),
            Self::Zone(zone) => ("ui", "zone", quoted(zone.as_deref().unwrap_or("system"))),
            Self::KeepDays(days) => ("data", "keep_days", days.to_string()),
        }
    }
}

impl SettingsFile {
    /// Sets one value; adds its line, or its table at the end, when there is none.
    ///
    /// # Errors
    ///
    /// When the file is not TOML, or writes that table in a form that cannot be added to.
    pub fn set(&mut self, field: &Field) -> Result<(), WriteError> {
        let (table, key, value) = field.parts();
        let splice = {
            let document = self.document()?;
            match document.get(table) {
                None => self.append(&format!("[{table}]\n{key} = {value}\n")),
                Some(item) => self.set_in(item, table, key, &value)?,
            }
        };
        self.splice(vec![splice]);
        Ok(())
    }

    /// Lets a subscription's tool be asked of itself, or no longer.
    ///
    /// # Errors
    ///
    /// When the file is not TOML, or writes that table in a form that cannot be added to.
    pub fn set_tool_probe(&mut self, program: Program, is_enabled: bool) -> Result<(), WriteError> {
        const TABLE: &str = "tool_probe";
        let (name, value) = (program.name(), is_enabled.to_string());
        let splice = {
            let document = self.document()?;
            let whole = format!("[{TABLE}.{name}]\nenabled = {value}\n");
            match document.get(TABLE) {
                None => self.append(&whole),
                Some(tools) => match (tools.get(name), tools) {
                    (Some(Item::Table(table)), _) if table.is_dotted() && !table.contains_key("enabled") => {
                        return Err(WriteError::Unfaithful { what: TABLE });
                    }
                    (Some(tool), _) => self.set_in(tool, TABLE, "enabled", &value)?,
                    (None, Item::Table(_)) => self.append(&whole),
                    (None, _) => return Err(WriteError::Unfaithful { what: TABLE }),
                },
            }
        };
        self.splice(vec![splice]);
        Ok(())
    }

    /// Gives a target a role, or none.
    ///
    /// # Errors
    ///
    /// When there is no such target.
    pub fn set_role(&mut self, target: &TargetId, role: Option<Role>) -> Result<(), WriteError> {
        let splice = {
            let document = self.document()?;
            let (table, _) = block(&document, "target", "id", target.as_str())?;
            match (role, table.get("role")) {
                (Some(role), _) => {
                    set_line(self.source.body(), table, "target", "role", &quoted(blocks::role_name(role)))?
                }
                (None, None) => return Ok(()),
                (None, Some(item)) => {
                    let at = item.span().ok_or(WriteError::Unfaithful { what: "role" })?;
                    (self.line_start(at.start)..self.line_end(at.end), String::new())
                }
            }
        };
        self.splice(vec![splice]);
        Ok(())
    }

    /// Puts the main chain's targets into this order; a file without a chain gets one.
    ///
    /// # Errors
    ///
    /// When the list has comments that a new length would tear from their lines.
    pub fn set_order(&mut self, order: &[TargetId]) -> Result<(), WriteError> {
        let splices = {
            let document = self.document()?;
            let main = tables(&document, "chain").find(|table| !table.contains_key("tool"));
            match main.map(|table| table.get("targets").and_then(Item::as_array)) {
                Some(Some(list)) => self.reorder(list, order)?,
                Some(None) => return Err(WriteError::Unfaithful { what: "chain" }),
                None => vec![self.append_block(&document, "chain", &blocks::chain(Chain::MAIN, order))?],
            }
        };
        self.splice(splices);
        Ok(())
    }

    /// Adds a provider's table behind the others.
    ///
    /// # Errors
    ///
    /// When the file writes its providers in one line.
    pub fn add_provider(&mut self, provider: &ProposedProvider) -> Result<(), WriteError> {
        let splice = self.append_block(&self.document()?, "provider", &blocks::provider(provider))?;
        self.splice(vec![splice]);
        Ok(())
    }

    /// Adds a target's table behind the others, and the target to the end of the main chain if there is one.
    ///
    /// # Errors
    ///
    /// When the file writes its targets in one line, or the chain's list cannot be added to.
    pub fn add_target(&mut self, proposal: &Proposal) -> Result<(), WriteError> {
        let splices = {
            let document = self.document()?;
            let mut splices = vec![self.append_block(&document, "target", &blocks::target(proposal))?];
            let main = tables(&document, "chain").find(|table| !table.contains_key("tool"));
            if let Some(list) = main.and_then(|table| table.get("targets")).and_then(Item::as_array) {
                splices.push(push(list, &quoted(proposal.target.as_str()))?);
            }
            splices
        };
        self.splice(splices);
        Ok(())
    }

    /// Takes a provider's table out. Its targets have to go first: [`SettingsFile::save`] refuses what is left over.
    ///
    /// # Errors
    ///
    /// When there is no such provider.
    pub fn remove_provider(&mut self, id: &ProviderId) -> Result<(), WriteError> {
        let splice = self.cut(block(&self.document()?, "provider", "id", id.as_str())?.1);
        self.splice(vec![splice]);
        Ok(())
    }

    /// Takes a target's table out, and its name out of every chain.
    ///
    /// # Errors
    ///
    /// When there is no such target, or a chain would be empty.
    pub fn remove_target(&mut self, id: &TargetId) -> Result<(), WriteError> {
        let splices = {
            let document = self.document()?;
            let mut splices = vec![self.cut(block(&document, "target", "id", id.as_str())?.1)];
            for chain in tables(&document, "chain") {
                let Some(list) = chain.get("targets").and_then(Item::as_array) else { continue };
                splices.extend(self.pull(list, id.as_str()));
            }
            splices
        };
        self.splice(splices);
        Ok(())
    }

    fn document(&self) -> Result<Document<String>, WriteError> {
        Document::parse(self.source.body().to_owned())
            .map_err(|_| WriteError::Invalid { findings: self.resolve().err().unwrap_or_default() })
    }

    /// Applies replacements of the old body, last first, so that the earlier offsets stay right.
    fn splice(&mut self, mut splices: Vec<Splice>) {
        let mut body = self.source.body().to_owned();
        splices.sort_by_key(|(range, _)| range.start);
        for (range, text) in splices.into_iter().rev() {
            let text = match self.source.ending() {
                LineEnding::Lf => text,
                LineEnding::Crlf => text.replace('\n', "\r\n"),
            };
            body.replace_range(range, &text);
        }
        self.replace_body(&body);
    }

    fn set_in(&self, item: &Item, table: &'static str, key: &str, value: &str) -> Result<Splice, WriteError> {
        match item {
            Item::Table(found) => set_line(self.source.body(), found, table, key, value),
            Item::Value(toml_edit::Value::InlineTable(found)) => {
                if let Some(span) = found.get(key).and_then(toml_edit::Value::span) {
                    return Ok((span, value.to_owned()));
                }
                let last = found.iter().filter_map(|(_, value)| value.span()).map(|span| span.end).max();
                let at = last.ok_or(WriteError::Unfaithful { what: table })?;
                Ok((at..at, format!(", {key} = {value}")))
            }
            _ => Err(WriteError::Unfaithful { what: table }),
        }
    }

    /// A block behind the last of its kind, or at the end of the file.
    fn append_block(&self, document: &Document<String>, what: &'static str, text: &str) -> Result<Splice, WriteError> {
        match document.get(what) {
            None => Ok(self.append(text)),
            Some(Item::ArrayOfTables(tables)) => {
                let end = tables.iter().filter_map(extent).map(|span| span.end).max();
                let at = self.line_end(end.ok_or(WriteError::Unfaithful { what })?);
                let gap = if self.source.body()[..at].ends_with('\n') { "\n" } else { "\n\n" };
                Ok((at..at, format!("{gap}{text}")))
            }
            Some(_) => Err(WriteError::Unfaithful { what }),
        }
    }

    fn append(&self, text: &str) -> Splice {
        let body = self.source.body();
        let gap = match body {
            "" => "",
            _ if body.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        (body.len()..body.len(), format!("{gap}{text}"))
    }

    /// A block with its lines, and with the empty line that set it apart. Comments above it stay: they may be about
    /// more than this block.
    fn cut(&self, span: Range<usize>) -> Splice {
        let body = self.source.body();
        let (mut start, end) = (self.line_start(span.start), self.line_end(span.end));
        for blank in ["\r\n", "\n"] {
            if body[..start].ends_with(&format!("\n{blank}")) {
                start -= blank.len();
                break;
            }
        }
        (start..end, String::new())
    }

    fn reorder(&self, list: &Array, order: &[TargetId]) -> Result<Vec<Splice>, WriteError> {
        let spans: Vec<_> = list.iter().filter_map(toml_edit::Value::span).collect();
        if spans.len() == order.len() {
            return Ok(spans.into_iter().zip(order).map(|(span, id)| (span, quoted(id.as_str()))).collect());
        }
        let span = list.span().ok_or(WriteError::Unfaithful { what: "targets" })?;
        if self.source.body()[span.clone()].contains('#') {
            return Err(WriteError::Unfaithful { what: "targets" });
        }
        Ok(vec![(span, blocks::list(order))])
    }

    /// One name out of a list, with the comma that follows it, or else the one before it.
    fn pull(&self, list: &Array, id: &str) -> Vec<Splice> {
        let body = self.source.body();
        let spans: Vec<_> = list.iter().map(|value| (value.as_str() == Some(id), value.span())).collect();
        let mut out = Vec::new();
        for (at, (_, span)) in spans.iter().enumerate().filter(|(_, (is_it, _))| *is_it) {
            let Some(span) = span else { continue };
            let next = spans.get(at + 1).and_then(|(_, next)| next.as_ref());
            let before = at.checked_sub(1).and_then(|at| spans[at].1.as_ref());
            let range = match (next, before) {
                (Some(next), _) if !body[span.end..next.start].contains('#') => span.start..next.start,
                (_, Some(before)) if !body[before.end..span.start].contains('#') => before.end..span.end,
                _ => span.start..body[span.end..].find(',').map_or(span.end, |comma| span.end + comma + 1),
            };
            out.push((range, String::new()));
        }
        out
    }

    fn line_start(&self, offset: usize) -> usize {
        self.source.body()[..offset].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self, offset: usize) -> usize {
        line_end(self.source.body(), offset)
    }
}

/// Bytes of the old body and what takes their place; new lines are written `\n`.
type Splice = (Range<usize>, String);

fn line_end(body: &str, offset: usize) -> usize {
    body[offset..].find('\n').map_or(body.len(), |at| offset + at + 1)
}

/// Replaces a key's value in a table, or adds its line behind the table's last.
fn set_line(body: &str, table: &Table, name: &'static str, key: &str, value: &str) -> Result<Splice, WriteError> {
    if let Some(item) = table.get(key) {
        let span = item.span().ok_or(WriteError::Unfaithful { what: name })?;
        return Ok((span, value.to_owned()));
    }
    let own = table.iter().filter(|(_, item)| item.is_value()).filter_map(|(_, item)| item.span());
    let last = own.map(|span| span.end).chain(table.span().map(|span| span.end)).max();
    let at = line_end(body, last.ok_or(WriteError::Unfaithful { what: name })?);
    let prefix = if table.is_dotted() { format!("{name}.") } else { String::new() };
    let gap = if body[..at].ends_with('\n') { "" } else { "\n" };
    Ok((at..at, format!("{gap}{prefix}{key} = {value}\n")))
}

/// Adds a text to the end of a list.
fn push(list: &Array, value: &str) -> Result<Splice, WriteError> {
    let last = list.iter().filter_map(toml_edit::Value::span).map(|span| span.end).max();
    let at = last.ok_or(WriteError::Unfaithful { what: "targets" })?;
    Ok((at..at, format!(", {value}")))
}

fn tables<'a>(document: &'a Document<String>, what: &str) -> impl Iterator<Item = &'a Table> {
    document.get(what).and_then(Item::as_array_of_tables).into_iter().flatten()
}

/// The table with this id, and all that belongs to it.
fn block<'a>(
    document: &'a Document<String>,
    what: &'static str,
    key: &str,
    id: &str,
) -> Result<(&'a Table, Range<usize>), WriteError> {
    if document.get(what).is_some_and(|item| !item.is_array_of_tables()) {
        return Err(WriteError::Unfaithful { what });
    }
    let table = tables(document, what).find(|table| table.get(key).and_then(Item::as_str) == Some(id));
    let table = table.ok_or_else(|| WriteError::NotFound { what, id: id.to_owned() })?;
    let extent = extent(table).ok_or(WriteError::Unfaithful { what })?;
    // A later `[provider.headers]` still belongs to its provider; what stands between must not go with it.
    let mut others = tables(document, "provider").chain(tables(document, "target")).chain(tables(document, "chain"));
    if others.any(|other| {
        other.span().is_some_and(|span| span != extent && span.start > extent.start && span.start < extent.end)
    }) {
        return Err(WriteError::Unfaithful { what });
    }
    Ok((table, extent))
}

/// From a table's head to the end of its last value, those of its own tables included.
fn extent(table: &Table) -> Option<Range<usize>> {
    let head = table.span()?;
    Some(head.start..deepest(table).max(head.end))
}

fn deepest(table: &dyn TableLike) -> usize {
    let ends = table.iter().map(|(_, item)| {
        let inner = match item {
            Item::Table(table) => deepest(table),
            Item::ArrayOfTables(tables) => tables.iter().map(|table| deepest(table)).max().unwrap_or(0),
            _ => 0,
        };
        inner.max(item.span().map_or(0, |span| span.end))
    });
    ends.max().unwrap_or(0)
}
