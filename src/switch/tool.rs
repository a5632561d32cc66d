//! What a tool's descriptor answers. One implementation a tool, in [`tools`](super::tools).

use crate::core::target::Dialect;
use crate::edit::{self, Language, Value};
use crate::switch::path::ToolPath;
use crate::switch::reading::Reading;
use crate::switch::warning::Warning;
use crate::switch::world::World;

/// One configuration of a tool: its folder, or for tools without one the file that they are started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The folder, or the file that the user named.
    pub path: ToolPath,
    /// The variable that moved it there, if one did.
    pub moved_by: Option<&'static str>,
}

/// A tool's home in its world.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// Everything else that decides.
    pub world: World<'a>,
    /// Which home.
    pub home: &'a Home,
}

/// What somebody wants a tool to use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The model, exactly as the provider expects it.
    pub model: String,
    /// The provider by the tool's own name; `None` keeps the present one.
    pub provider: Option<String>,
    /// Of a gateway: the public name to re-point.
    pub alias: Option<String>,
}

/// One key of one file that a switch sets or takes out.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The file, where the tool looks for it.
    pub file: ToolPath,
    /// Its language, as strict as the tool.
    pub language: Language,
    /// What is done there.
    pub edit: edit::Change,
    /// Whether a missing file is made, as the tool would read a new one.
    pub makes_file: bool,
}

impl Change {
    /// Sets a text in a file that is there.
    pub fn text(file: &ToolPath, language: Language, path: &[&str], value: impl Into<String>) -> Self {
        Self::value(file, language, path, Value::text(value))
    }

    /// Sets a value in a file that is there.
    pub fn value(file: &ToolPath, language: Language, path: &[&str], value: Value) -> Self {
        Self { file: file.clone(), language, edit: edit::Change::set(path, value), makes_file: false }
    }

    /// Takes a key out.
    pub fn remove(file: &ToolPath, language: Language, path: &[&str]) -> Self {
        Self { file: file.clone(), language, edit: edit::Change::remove(path), makes_file: false }
    }

    /// Allows the file to be made.
    #[must_use]
    pub const fn or_new(mut self) -> Self {
        self.makes_file = true;
        self
    }

    /// The keys from the root.
    pub fn steps(&self) -> &[String] {
        match &self.edit {
            edit::Change::Set { path, .. } | edit::Change::Remove { path } => path,
        }
    }

    /// The dotted key, for people.
    pub fn key(&self) -> String {
        self.steps().join(".")
    }
}

/// What a switch of a tool consists of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The keys to set, in this order.
    pub changes: Vec<Change>,
    /// What this choice of keys is worth telling.
    pub warnings: Vec<Warning>,
}

/// When a change of the file reaches the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakesEffect {
    /// The running program notices by itself.
    AtOnce,
    /// The next command, as each is a start of its own.
    NextCommand,
    /// A new session; running ones keep their model.
    NextSession,
    /// A start of the program.
    Restart,
}

/// How a tool authenticates at an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// With the value of a variable.
    Variable(String),
    /// With a login or key of the tool's own, which is there.
    OwnLogin,
    /// With a key that stands in its file.
    InFile,
    /// It needs none.
    None,
    /// It cannot be told without asking a key chain or running a command, which we do not.
    Unknown,
}

/// An endpoint that a tool can be pointed at by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolEndpoint {
    /// The tool's own name for it.
    pub provider: String,
    /// Where it sends requests; `None` for the vendor's own address.
    pub base_url: Option<String>,
    /// The wire API that it speaks there; `None` when it cannot be told.
    pub dialect: Option<Dialect>,
    /// How it authenticates.
    pub credential: Credential,
    /// The models that the tool's own files list for it; empty when any may be named.
    pub models: Vec<String>,
}

/// A tool whose model can be read, and perhaps switched, by its files.
pub trait Tool: Sync {
    /// Its name in commands and settings: `codex`, `claude-code`.
    fn id(&self) -> &'static str;

    /// Other names that it is asked for by.
    fn other_ids(&self) -> &'static [&'static str] {
        &[]
    }

    /// Its own spelling of its name.
    fn name(&self) -> &'static str;

    /// Programs that start it, to ask for the version; the first is the usual one.
    fn programs(&self) -> &'static [&'static str];

    /// Whether it can be started with the path of its settings. The file that the user names is then its [`Home`].
    fn takes_file(&self) -> bool {
        false
    }

    /// The homes to look at: the moved one, if a variable moves it, else the usual one. Whether they exist is not asked.
    /// None for a tool that is always started with a path.
    fn homes(&self, world: &World<'_>) -> Vec<Home>;

    /// Whether the tool seems to be in use there: one of its own files exists.
    fn is_present(&self, at: &At<'_>) -> bool;

    /// Reads every layer, the strongest first.
    fn read(&self, at: &At<'_>) -> Reading;

    /// The keys to set for `wanted`, by the policy of `tool-configs` section 2.4: the deciding key if it stands in the
    /// user's own file, else the user's key, whatever masks it.
    ///
    /// # Errors
    ///
    /// The reason why this tool cannot be switched to it by a file.
    fn change(&self, at: &At<'_>, reading: &Reading, wanted: &Wanted) -> Result<Changes, Warning>;

    /// The endpoints that it can be pointed at, built-in ones included when they could be used.
    fn endpoints(&self, at: &At<'_>) -> Vec<ToolEndpoint>;

    /// How a target's model is spelled for this tool at one of its endpoints; most tools take it as it is.
    fn spell(&self, _endpoint: &ToolEndpoint, model: &str) -> String {
        model.to_owned()
    }

    /// The lock file by which the tool guards this file of its own, if it does.
    fn lock(&self, _file: &ToolPath) -> Option<ToolPath> {
        None
    }

    /// When a change of its file takes effect.
    fn takes_effect(&self) -> TakesEffect;
}
