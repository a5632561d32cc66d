//! Where aider's settings come from, read the way that its parser does.

use crate::edit::{Document, DotenvDialect, Kind, Language, Node};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{LayerKind, Place, SeenFile};
use crate::switch::tool::At;
use crate::switch::tools::aider::{FILE, MODEL};
use crate::switch::warning::Warning;
use crate::switch::world::{VarOrigin, Vars};

const DOTENV: Language = Language::Dotenv(DotenvDialect::Python);

/// One YAML file.
pub(super) struct Yaml {
    pub path: ToolPath,
    pub kind: LayerKind,
    /// None when it is broken.
    pub document: Option<Document>,
    pub trouble: Option<Warning>,
}

/// What stands at a key, as a text of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// A text; a number or truth value becomes one.
    Text(String),
    /// A list or a table, which stops the program.
    Wrong,
}

impl Yaml {
    /// Whether it is the file that a switch edits.
    pub(super) fn is_users(&self) -> bool {
        self.kind == LayerKind::User
    }

    pub(super) fn model(&self) -> Option<Setting> {
        setting(self.document.as_ref()?.get(MODEL)?)
    }

    fn text(&self, key: &str) -> Option<String> {
        match setting(self.document.as_ref()?.get(&[key])?)? {
            Setting::Text(text) => Some(text),
            Setting::Wrong => None,
        }
    }

    /// The elements of a list; a text alone counts as one.
    fn list(&self, key: &str) -> Option<Vec<&str>> {
        let node = self.document.as_ref()?.get(&[key])?;
        match &node.kind {
            Kind::Text(text) => Some(vec![text]),
            Kind::List(items) => Some(items.iter().filter_map(Node::as_text).collect()),
            _ => None,
        }
    }
}

fn setting(node: &Node) -> Option<Setting> {
    match &node.kind {
        Kind::Null => None,
        Kind::Text(text) => Some(Setting::Text(text.clone())),
        Kind::Number(text) | Kind::Date(text) => Some(Setting::Text(text.clone())),
        Kind::Bool(value) => Some(Setting::Text(if *value { "True" } else { "False" }.to_owned())),
        Kind::List(_) | Kind::Table(_) => Some(Setting::Wrong),
    }
}

/// Everything that it reads.
pub(super) struct Sources<'a> {
    /// The strongest first.
    pub yamls: Vec<Yaml>,
    /// The strongest first: the last that it reads.
    dotenvs: Vec<(ToolPath, Document)>,
    vars: &'a Vars,
}

impl<'a> Sources<'a> {
    pub(super) fn gather(at: &At<'a>, users: &ToolPath, files: &mut Vec<SeenFile>) -> Self {
        let world = &at.world;
        let root = world.git_root();
        let is_named = at.home.path != *world.home;
        let folders = world.cwd.into_iter().chain(root.as_ref());
        let mut paths: Vec<ToolPath> = if is_named { Vec::new() } else { folders.map(|at| at.join(FILE)).collect() };
        paths.push(users.clone());
        let mut yamls: Vec<Yaml> = Vec::new();
        for path in paths {
            if yamls.iter().any(|yaml| yaml.path == path) {
                continue;
            }
            let kind = if path == *users { LayerKind::User } else { LayerKind::Project };
            let (document, trouble) = match load(world, files, &path, Language::Yaml) {
                Loaded::Missing => continue,
                Loaded::Parsed(document, _) => (Some(document), None),
                Loaded::Broken(warning) | Loaded::Unreadable(warning) => (None, Some(warning)),
            };
            yamls.push(Yaml { path, kind, document, trouble });
        }
        let mut sources = Self { yamls, dotenvs: Vec::new(), vars: world.vars };
        let extra = sources.vars.get("AIDER_ENV_FILE").map(str::to_owned);
        let extra = extra.or_else(|| sources.yamls.iter().find_map(|yaml| yaml.text("env-file")));
        let extra = match (&extra, world.cwd, &root) {
            (Some(path), Some(cwd), _) => Some(cwd.join(path)),
            (Some(path), None, _) if path.starts_with('/') => Some(ToolPath::new(path)),
            (Some(_), None, _) => None,
            (None, _, root) => root.as_ref().map(|root| root.join(".env")),
        };
        let folders = world.cwd.into_iter().chain(root.as_ref()).chain([world.home]);
        for path in extra.into_iter().chain(folders.map(|at| at.join(".env"))) {
            if !sources.dotenvs.iter().any(|(known, _)| *known == path)
                && let Loaded::Parsed(document, _) = load(world, files, &path, DOTENV)
            {
                sources.dotenvs.push((path, document));
            }
        }
        sources
    }

    /// What the `.env` files make of a variable, the strongest first; `${NAME}` is filled in.
    pub(super) fn dotenv(&self, name: &str) -> Vec<(&ToolPath, String)> {
        let value = |document: &Document| document.text(&[name]).map(|text| self.filled(text));
        self.dotenvs.iter().filter_map(|(path, document)| Some((path, value(document)?))).collect()
    }

    fn filled(&self, text: &str) -> String {
        let Some((before, rest)) = text.split_once("${") else { return text.to_owned() };
        let Some((name, rest)) = rest.split_once('}') else { return text.to_owned() };
        let (name, default) = name.split_once(":-").unwrap_or((name, ""));
        let own = self.dotenvs.iter().find_map(|(_, document)| document.text(&[name]));
        let value = own.or_else(|| self.vars.get(name)).unwrap_or(default);
        format!("{before}{value}{}", self.filled(rest))
    }

    /// A variable of the process, empty ones too, and who saw it.
    pub(super) fn exported(&self, name: &str) -> Option<(&'a str, VarOrigin)> {
        Some((self.vars.raw(name)?, self.vars.origin(name)?))
    }

    /// Whether an old switch is on, and what says so; the strongest place that has it decides.
    pub(super) fn switch(&self, name: &str) -> Option<(LayerKind, Place)> {
        let is_on = |text: &str| matches!(text.to_lowercase().as_str(), "true" | "yes" | "on" | "1");
        let variable = format!("AIDER_{}", name.replace('-', "_").to_uppercase());
        if let Some((path, value)) = self.dotenv(&variable).into_iter().next() {
            return is_on(&value).then(|| (LayerKind::Dotenv, Place::file(path, &*variable)));
        }
        if let Some((value, origin)) = self.exported(&variable) {
            return is_on(value).then_some((LayerKind::Env, Place::Variable { name: variable, origin }));
        }
        let (yaml, value) = self.yamls.iter().find_map(|yaml| Some((yaml, yaml.text(name)?)))?;
        is_on(&value).then(|| (yaml.kind, Place::file(&yaml.path, name)))
    }

    /// The user's names for models. One place gives them all; of a repeated name the last counts.
    pub(super) fn aliases(&self) -> Vec<(String, String)> {
        let variable = "AIDER_ALIAS";
        let set = self.dotenv(variable).into_iter().next().map(|(_, value)| value);
        let set = set.or_else(|| self.exported(variable).map(|(value, _)| value.to_owned()));
        let definitions: Vec<String> = match set {
            Some(value) => match value.strip_prefix('[').and_then(|value| value.strip_suffix(']')) {
                Some(list) => list.split(',').map(|item| item.trim().trim_matches(['"', '\'']).to_owned()).collect(),
                None => vec![value],
            },
            None => {
                let list = self.yamls.iter().find_map(|yaml| yaml.list("alias"));
                list.unwrap_or_default().into_iter().map(str::to_owned).collect()
            }
        };
        let parted = definitions.iter().rev().filter_map(|definition| definition.split_once(':'));
        parted.map(|(name, model)| (name.trim().to_owned(), model.trim().to_owned())).collect()
    }

    /// What `set-env` makes of a variable; one file gives the whole list.
    pub(super) fn set_env(&self, name: &str) -> Vec<(&Yaml, &str)> {
        let Some((yaml, list)) = self.yamls.iter().find_map(|yaml| Some((yaml, yaml.list("set-env")?))) else {
            return Vec::new();
        };
        let parted = list.into_iter().filter_map(|item| item.split_once('='));
        parted.filter(|(own, _)| own.trim() == name).map(|(_, value)| (yaml, value.trim())).collect()
    }

    /// Whether its files hold a key for a vendor. The key itself is not looked at.
    pub(super) fn holds_key(&self, prefix: &str, variable: &str) -> bool {
        let in_dotenv = self.dotenv(variable).first().is_some_and(|(_, value)| !value.is_empty());
        let own = format!("{prefix}-api-key");
        let in_yaml = self.yamls.iter().any(|yaml| {
            let listed = yaml.list("api-key").unwrap_or_default();
            let listed = listed.iter().filter_map(|item| item.split_once('='));
            yaml.text(&own).is_some_and(|value| !value.is_empty())
                || listed.into_iter().any(|(name, value)| name.trim().eq_ignore_ascii_case(prefix) && !value.is_empty())
        });
        in_dotenv || in_yaml || !self.set_env(variable).is_empty()
    }

    /// Where requests to the OpenAI API go, if not to OpenAI.
    pub(super) fn openai_base(&self) -> Option<String> {
        let names = ["AIDER_OPENAI_API_BASE", "OPENAI_API_BASE"];
        let in_dotenv = |name: &&str| self.dotenv(name).into_iter().next().map(|(_, value)| value);
        let exported = |name: &&str| self.exported(name).map(|(value, _)| value.to_owned());
        let in_yaml = self.yamls.iter().find_map(|yaml| yaml.text("openai-api-base"));
        let own = in_dotenv(&names[0]).or_else(|| exported(&names[0])).or(in_yaml);
        own.or_else(|| in_dotenv(&names[1])).or_else(|| exported(&names[1])).filter(|base| !base.is_empty())
    }
}
