//! `$include`: files that lie below the table that names them, the last of a list on top.

use crate::edit::{Document, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::SeenFile;
use crate::switch::warning::Warning;
use crate::switch::world::World;

use super::JSON5;

/// How deep files may include each other. Source: OpenClaw's documentation page on configuration.
const MAX_DEPTH: usize = 10;

/// A value in one of the files.
#[derive(Clone)]
pub(super) struct Spot {
    /// The file.
    pub(super) file: ToolPath,
    keys: Vec<String>,
    /// The line on which the value stands.
    pub(super) line: usize,
    /// The value.
    pub(super) node: Node,
}

impl Spot {
    pub(super) fn root(file: &ToolPath, document: &Document) -> Self {
        Self { file: file.clone(), keys: Vec::new(), line: 1, node: document.root().clone() }
    }

    /// What stands in it at a key.
    pub(super) fn below(&self, key: &str, node: &Node) -> Self {
        let keys = self.keys.iter().cloned().chain([key.to_owned()]).collect();
        Self { keys, node: node.clone(), ..self.clone() }
    }

    /// The keys from the file's root.
    pub(super) fn keys(&self) -> Vec<&str> {
        self.keys.iter().map(String::as_str).collect()
    }
}

/// Follows keys through files that include each other.
pub(super) struct Finder<'a, 'w> {
    world: &'a World<'w>,
    seen: &'a mut Vec<SeenFile>,
    /// A file that is included and cannot be read: OpenClaw rejects the whole then.
    pub(super) trouble: Option<Warning>,
}

impl<'a, 'w> Finder<'a, 'w> {
    pub(super) fn new(world: &'a World<'w>, seen: &'a mut Vec<SeenFile>) -> Self {
        Self { world, seen, trouble: None }
    }

    /// Every value at a path below a spot, the strongest first.
    pub(super) fn find(&mut self, from: &Spot, path: &[&str]) -> Vec<Spot> {
        let mut out = Vec::new();
        self.follow(from, path, MAX_DEPTH, &mut out);
        out
    }

    fn follow(&mut self, from: &Spot, path: &[&str], depth: usize, out: &mut Vec<Spot>) {
        let includes = includes(&from.node);
        match path.split_first() {
            // A table that is made of included files alone says nothing itself.
            None if includes.is_empty() || from.node.entries().len() > 1 => out.push(from.clone()),
            None => {}
            Some((key, rest)) => {
                if let Some(child) = from.node.child(key) {
                    let line = self.line(&from.file, child);
                    let spot = Spot { line, ..from.below(key, child) };
                    self.follow(&spot, rest, depth, out);
                }
            }
        }
        if depth == 0 {
            return;
        }
        let folder = from.file.parent().unwrap_or_else(|| from.file.clone());
        for include in includes.iter().rev() {
            let file = folder.join(include);
            match load(self.world, self.seen, &file, JSON5) {
                Loaded::Parsed(document, _) => self.follow(&Spot::root(&file, &document), path, depth - 1, out),
                Loaded::Broken(warning) | Loaded::Unreadable(warning) => {
                    self.trouble.get_or_insert(warning);
                }
                Loaded::Missing => {}
            }
        }
    }

    fn line(&mut self, file: &ToolPath, node: &Node) -> usize {
        let loaded = load(self.world, self.seen, file, JSON5);
        loaded.document().map_or(1, |document| document.position(node.span.start).line)
    }
}

fn includes(node: &Node) -> Vec<String> {
    let Some(include) = node.child("$include").filter(|_| node.is_table()) else { return Vec::new() };
    let one = include.as_text().map(str::to_owned).into_iter();
    one.chain(include.items().iter().filter_map(|item| item.as_text().map(str::to_owned))).collect()
}
