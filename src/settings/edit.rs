//! Changes of the settings file that leave every other byte alone.
//!
//! Single values go through the edit engine ([`crate::edit`]); whole tables and lists are placed here, by its spans. Comments,
//! order, spacing, line endings and a byte order mark survive. A form that cannot be changed like that is refused. Nothing
//! is on disk before [`SettingsFile::save`].

mod chains;
mod comments;
pub mod walk;

use std::ops::Range;
use std::time::Duration;

use super::blocks;
use super::discovery::{Proposal, ProposedProvider};
use super::file::SettingsFile;
use super::save::WriteError;
use super::source::LineEnding;
use super::{Chain, Close, ThemeChoice, duration};
use crate::core::rules::Mode;
use crate::core::target::{ProviderId, Role, TargetId};
use crate::edit::{Change, Document, EditError, Kind, Language, Node, Splice, Style, Value, apply, toml_text};
use crate::i18n::Lang;
use crate::switch::tool::Tool;
use crate::switch::tools;
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
    /// `[background] close`
    Close(Close),
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
    /// Table, key and value.
    fn parts(&self) -> (&'static str, &'static str, Value) {
        match self {
            Self::Every(every) => ("schedule", "every", Value::text(duration::text(*every))),
            Self::SlowEvery(every) => ("schedule", "slow_every", Value::text(duration::text(*every))),
            Self::Recovered(on) => ("notices", "recovered", Value::Bool(*on)),
            Self::Close(close) => ("background", "close", Value::text(close.name())),
            Self::Language(language) => ("ui", "language", Value::text(language.map_or("system", Lang::tag))),
            Self::Theme(theme) => ("ui", "theme", Value::text(theme.name())),
            // By its shortest digits: 1.1 stays 1.1.
            Self::Zoom(zoom) => {
                ("ui", "zoom", Value::Float(zoom.to_string().parse().unwrap_or_else(|_| f64::from(*zoom))))
            }
            Self::Zone(zone) => ("ui", "zone", Value::text(zone.as_deref().unwrap_or("system"))),
            Self::KeepDays(days) => ("data", "keep_days", Value::Integer(i64::from(*days))),
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
        self.put(table, key, Some(value))
    }

    /// Sets a key of a table, or takes its line out.
    pub(super) fn put(&mut self, table: &'static str, key: &str, value: Option<Value>) -> Result<(), WriteError> {
        self.put_at(table, &[table, key], value)
    }

    /// Sets what stands at a path, or takes its line out; `what` names it where that cannot be done.
    fn put_at(&mut self, what: &'static str, path: &[&str], value: Option<Value>) -> Result<(), WriteError> {
        let change = match value {
            Some(value) => Change::set(path, value),
            None if self.document()?.get(path).is_none() => return Ok(()),
            None => Change::remove(path),
        };
        self.change(what, &[change])
    }

    /// Sets a key of a provider's or a target's table, or takes its line out.
    pub(super) fn put_of(
        &mut self,
        what: &'static str,
        id: &str,
        key: &str,
        value: Option<Value>,
    ) -> Result<(), WriteError> {
        let (number, ..) = block(&self.document()?, what, "id", id)?;
        self.put_at(what, &[what, &number.to_string(), key], value)
    }

    /// What a provider's or a target's table itself says under a key.
    pub fn written(&self, what: &'static str, id: &str, key: &str) -> Option<Value> {
        block(&self.document().ok()?, what, "id", id).ok()?.1.child(key)?.to_value()
    }

    /// Gives a target another name, also in the chains.
    pub(super) fn rename_target(&mut self, from: &TargetId, to: &TargetId) -> Result<(), WriteError> {
        let document = self.document()?;
        let (number, ..) = block(&document, "target", "id", from.as_str())?;
        let text = || Value::text(to.as_str());
        let mut changes = vec![Change::set(&["target", &number.to_string(), "id"], text())];
        for (chain, table) in tables(&document, "chain").iter().enumerate() {
            let items = table.child("targets").map_or(&[][..], Node::items).iter().enumerate();
            let named = items.filter(|(_, item)| item.as_text() == Some(from.as_str()));
            changes.extend(
                named.map(|(at, _)| Change::set(&["chain", &chain.to_string(), "targets", &at.to_string()], text())),
            );
        }
        self.change("target", &changes)
    }

    /// Gives a provider another name, also where its targets name it.
    pub(super) fn rename_provider(&mut self, from: &ProviderId, to: &ProviderId) -> Result<(), WriteError> {
        let document = self.document()?;
        let (number, ..) = block(&document, "provider", "id", from.as_str())?;
        let text = || Value::text(to.as_str());
        let mut changes = vec![Change::set(&["provider", &number.to_string(), "id"], text())];
        for what in ["target", "rule"] {
            let named = tables(&document, what).iter().enumerate();
            let named =
                named.filter(|(_, table)| table.child("provider").and_then(Node::as_text) == Some(from.as_str()));
            changes.extend(named.map(|(at, _)| Change::set(&[what, &at.to_string(), "provider"], text())));
        }
        self.change("provider", &changes)
    }

    /// Lets a subscription's tool be asked of itself, or no longer.
    ///
    /// # Errors
    ///
    /// When the file is not TOML, or writes that table in a form that cannot be added to.
    pub fn set_tool_probe(&mut self, program: Program, is_enabled: bool) -> Result<(), WriteError> {
        let change = Change::set(&["tool_probe", program.name(), "enabled"], Value::Bool(is_enabled));
        self.change("tool_probe", &[change])
    }

    /// Lets a tool be switched without a question, or no longer.
    ///
    /// # Errors
    ///
    /// When the file is not TOML, or writes that table in a form that cannot be added to.
    pub fn set_switch_asks(&mut self, tool: &str, asks: bool) -> Result<(), WriteError> {
        self.change("switch", &[Change::set(&["switch", tool, "confirm"], Value::Bool(asks))])
    }

    /// Sets how far the rule of a tool may go: away, and back.
    ///
    /// # Errors
    ///
    /// When the file is not TOML, or writes that table in a form that cannot be added to.
    pub fn set_switch_rule(&mut self, tool: &dyn Tool, failover: Mode, back: Mode) -> Result<(), WriteError> {
        let name = rule_name(&self.document()?, tool);
        let set = |key: &str, mode: Mode| Change::set(&["switch", name, key], Value::text(mode.name()));
        self.change("switch", &[set("failover", failover), set("back", back)])
    }

    /// Sets the folders whose projects are looked through.
    ///
    /// # Errors
    ///
    /// When the file is not TOML, or writes that table in a form that cannot be added to.
    pub fn set_projects(&mut self, folders: &[String]) -> Result<(), WriteError> {
        let list = folders.iter().map(Value::text).collect();
        self.put("projects", "folders", (!folders.is_empty()).then_some(Value::List(list)))
    }

    /// Sets a key of a tool's rule, or takes its line out.
    pub(super) fn put_rule(&mut self, tool: &str, key: &str, value: Option<Value>) -> Result<(), WriteError> {
        let document = self.document()?;
        let name = tools::find(tool).map_or(tool, |tool| rule_name(&document, tool));
        self.put_at("switch", &["switch", name, key], value)
    }

    /// Gives a target a role, or none.
    ///
    /// # Errors
    ///
    /// When there is no such target.
    pub fn set_role(&mut self, target: &TargetId, role: Option<Role>) -> Result<(), WriteError> {
        self.put_of("target", target.as_str(), "role", role.map(|role| Value::text(role.name())))
    }

    /// Puts the main chain's targets into this order; a file without a chain gets one.
    ///
    /// # Errors
    ///
    /// When the list has comments that a new length would tear from their lines.
    pub fn set_order(&mut self, order: &[TargetId]) -> Result<(), WriteError> {
        let document = self.document()?;
        let Some(number) = tables(&document, "chain").iter().position(|table| table.child("tool").is_none()) else {
            let splice = self.append_block(&document, "chain", &blocks::chain(Chain::MAIN, None, order))?;
            return self.splice(vec![splice]);
        };
        self.set_list(number, order)
    }

    /// Puts the targets of the chain with this name into this order. `main` is the main chain, also of a file without.
    pub(super) fn set_chain(&mut self, name: &str, order: &[TargetId]) -> Result<(), WriteError> {
        let document = self.document()?;
        let is_named = |table: &Node| table.child("name").and_then(Node::as_text) == Some(name);
        match tables(&document, "chain").iter().position(is_named) {
            Some(number) => self.set_list(number, order),
            None if name == Chain::MAIN => self.set_order(order),
            None => Err(WriteError::NotFound { what: "chain", id: name.to_owned() }),
        }
    }

    fn set_list(&mut self, number: usize, order: &[TargetId]) -> Result<(), WriteError> {
        let document = self.document()?;
        let number = number.to_string();
        let path = ["chain", &*number, "targets"];
        let list = document.get(&path).filter(|list| is_list(list)).ok_or(WriteError::Unfaithful { what: "chain" })?;
        let texts = order.iter().map(|id| Value::text(id.as_str()));
        if list.items().len() == order.len() {
            if let Some(splices) = self.with_their_comments(list, order) {
                return self.splice(splices);
            }
            let set = |(at, text): (usize, Value)| Change::set(&["chain", &*number, "targets", &at.to_string()], text);
            return self.change("targets", &texts.enumerate().map(set).collect::<Vec<_>>());
        }
        if self.source.body()[list.span.clone()].contains('#') {
            return Err(WriteError::Unfaithful { what: "targets" });
        }
        self.change("targets", &[Change::set(&path, Value::List(texts.collect()))])
    }

    /// Adds a provider's table behind the others.
    ///
    /// # Errors
    ///
    /// When the file writes its providers in one line.
    pub fn add_provider(&mut self, provider: &ProposedProvider) -> Result<(), WriteError> {
        let splice = self.append_block(&self.document()?, "provider", &blocks::provider(provider))?;
        self.splice(vec![splice])
    }

    /// Adds a target's table behind the others, and the target to the end of the main chain if there is one.
    ///
    /// # Errors
    ///
    /// When the file writes its targets in one line, or the chain's list cannot be added to.
    pub fn add_target(&mut self, proposal: &Proposal) -> Result<(), WriteError> {
        let document = self.document()?;
        let mut splices = vec![self.append_block(&document, "target", &blocks::target(proposal))?];
        let main = tables(&document, "chain").iter().find(|table| table.child("tool").is_none());
        if let Some(list) = main.and_then(|table| table.child("targets")).filter(|list| is_list(list)) {
            splices.push(self.placed_by_role(&document, list, proposal)?);
        }
        self.splice(splices)
    }

    /// The new target's name in a chain's list: behind the last that stands no lower by its role, at the end where the list
    /// is no order of roles.
    fn placed_by_role(&self, document: &Document, list: &Node, proposal: &Proposal) -> Result<Splice, WriteError> {
        let role_of = |item: &Node| {
            let mut own = tables(document, "target").iter();
            let own = own.find(|table| table.child("id").and_then(Node::as_text) == item.as_text())?;
            Role::from_name(own.child("role")?.as_text()?)
        };
        let name = toml_text(proposal.target.as_str());
        let items = list.items();
        let last = items.last().ok_or(WriteError::Unfaithful { what: "targets" })?;
        if items.iter().all(|item| role_of(item).is_none()) {
            return Ok(self.placed(last.span.end..last.span.end, &format!(", {name}")));
        }
        let new = Role::rank(Some(proposal.role));
        Ok(match items.iter().rfind(|item| Role::rank(role_of(item)) <= new) {
            Some(before) => self.placed(before.span.end..before.span.end, &format!(", {name}")),
            None => self.placed(items[0].span.start..items[0].span.start, &format!("{name}, ")),
        })
    }

    /// Takes a provider's table out. Its targets have to go first: [`SettingsFile::save`] refuses what is left over.
    ///
    /// # Errors
    ///
    /// When there is no such provider.
    pub fn remove_provider(&mut self, id: &ProviderId) -> Result<(), WriteError> {
        let splice = self.cut(block(&self.document()?, "provider", "id", id.as_str())?.2);
        self.splice(vec![splice])
    }

    /// Takes a target's table out, and its name out of every chain.
    ///
    /// # Errors
    ///
    /// When there is no such target, or a chain would be empty.
    pub fn remove_target(&mut self, id: &TargetId) -> Result<(), WriteError> {
        let document = self.document()?;
        let mut splices = vec![self.cut(block(&document, "target", "id", id.as_str())?.2)];
        for list in tables(&document, "chain").iter().filter_map(|chain| chain.child("targets")) {
            splices.extend(self.pull(list, id.as_str()));
        }
        self.splice(splices)
    }

    fn document(&self) -> Result<Document, WriteError> {
        Document::parse(self.source.body().as_bytes(), Language::Toml).map_err(|_| self.invalid())
    }

    fn invalid(&self) -> WriteError {
        WriteError::Invalid { findings: self.resolve().err().unwrap_or_default() }
    }

    /// Single values, by the engine's own proof.
    fn change(&mut self, what: &'static str, changes: &[Change]) -> Result<(), WriteError> {
        let splices = self.document()?.edit(changes).map_err(|error| match error {
            EditError::Parse(_) => self.invalid(),
            _ => WriteError::Unfaithful { what },
        })?;
        self.splice(splices)
    }

    /// Applies replacements of the old body.
    fn splice(&mut self, mut splices: Vec<Splice>) -> Result<(), WriteError> {
        splices.sort_by_key(|splice| splice.start);
        let body = apply(self.source.body().as_bytes(), &splices).ok().and_then(|body| String::from_utf8(body).ok());
        self.replace_body(&body.ok_or(WriteError::Unfaithful { what: "settings" })?);
        Ok(())
    }

    /// Bytes of the body and what takes their place; new lines are written `\n`.
    fn placed(&self, range: Range<usize>, text: &str) -> Splice {
        let new = match self.source.ending() {
            LineEnding::Lf => text.to_owned(),
            LineEnding::Crlf => text.replace('\n', "\r\n"),
        };
        let old = self.source.body()[range.clone()].into();
        Splice { start: range.start, end: range.end, old, new: new.into(), key: String::new() }
    }

    /// A block behind the last of its kind, or at the end of the file.
    fn append_block(&self, document: &Document, what: &'static str, text: &str) -> Result<Splice, WriteError> {
        let body = self.source.body();
        let at = match document.get(&[what]) {
            None => body.len(),
            Some(list) if is_tables(list) => {
                let end = list.items().iter().map(|table| extent(table).end).max();
                self.line_end(end.ok_or(WriteError::Unfaithful { what })?)
            }
            Some(_) => return Err(WriteError::Unfaithful { what }),
        };
        let gap = match &body[..at] {
            "" => "",
            before if before.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        Ok(self.placed(at..at, &format!("{gap}{text}")))
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
        self.placed(start..end, "")
    }

    /// One name out of a list, with the comma that follows it, or else the one before it.
    fn pull(&self, list: &Node, id: &str) -> Vec<Splice> {
        let body = self.source.body();
        let items = list.items();
        let mut out = Vec::new();
        for (at, item) in items.iter().enumerate().filter(|(_, item)| item.as_text() == Some(id)) {
            let span = &item.span;
            let next = items.get(at + 1).map(|next| &next.span);
            let before = at.checked_sub(1).map(|at| &items[at].span);
            let range = match (next, before) {
                (Some(next), _) if !body[span.end..next.start].contains('#') => span.start..next.start,
                (_, Some(before)) if !body[before.end..span.start].contains('#') => before.end..span.end,
                _ => span.start..body[span.end..].find(',').map_or(span.end, |comma| span.end + comma + 1),
            };
            out.push(self.placed(range, ""));
        }
        out
    }

    fn line_start(&self, offset: usize) -> usize {
        self.source.body()[..offset].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self, offset: usize) -> usize {
        let body = self.source.body();
        body[offset..].find('\n').map_or(body.len(), |at| offset + at + 1)
    }
}

/// How the file spells a tool in `[switch.TOOL]`.
fn rule_name(document: &Document, tool: &dyn Tool) -> &'static str {
    let is_written = |name: &&str| document.get(&["switch", name]).is_some();
    tool.other_ids().iter().copied().find(is_written).unwrap_or(tool.id())
}

fn is_list(node: &Node) -> bool {
    matches!(node.kind, Kind::List(_))
}

/// Whether this is `[[name]]` tables, each with a header of its own.
fn is_tables(node: &Node) -> bool {
    is_list(node) && node.style == Style::Block
}

/// The tables of a kind; none when they are written in another form.
fn tables<'a>(document: &'a Document, what: &str) -> &'a [Node] {
    document.get(&[what]).filter(|list| is_tables(list)).map_or(&[], Node::items)
}

/// The number of the table with this id, the table, and the range of all that belongs to it.
fn block<'a>(
    document: &'a Document,
    what: &'static str,
    key: &str,
    id: &str,
) -> Result<(usize, &'a Node, Range<usize>), WriteError> {
    if document.get(&[what]).is_some_and(|list| !is_tables(list)) {
        return Err(WriteError::Unfaithful { what });
    }
    let mut all = tables(document, what).iter().enumerate();
    let found = all.find(|(_, table)| table.child(key).and_then(Node::as_text) == Some(id));
    let (number, table) = found.ok_or_else(|| WriteError::NotFound { what, id: id.to_owned() })?;
    let extent = extent(table);
    // A later `[provider.headers]` still belongs to its provider; what stands between must not go with it.
    let mut others = ["provider", "target", "chain"].into_iter().flat_map(|what| tables(document, what));
    if others.any(|other| other.span != table.span && other.span.start > extent.start && other.span.start < extent.end)
    {
        return Err(WriteError::Unfaithful { what });
    }
    Ok((number, table, extent))
}

/// From a table's head to the end of its last value, those of its own tables included.
fn extent(table: &Node) -> Range<usize> {
    table.span.start..deepest(table)
}

fn deepest(node: &Node) -> usize {
    let children = node.items().iter().chain(node.entries().iter().map(|entry| &entry.value));
    children.map(deepest).max().unwrap_or(0).max(node.span.end)
}
