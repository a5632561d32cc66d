//! What was read of a tool: every layer that could name a model, and the one that decides.

use crate::core::secretive::looks_like_key;
use crate::switch::path::ToolPath;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::VarOrigin;

/// What kind of place a layer is: how far it reaches and who writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayerKind {
    /// An agent, profile or role that the tool starts with by default.
    Role,
    /// A policy of the machine's administrator.
    Managed,
    /// An environment variable of the process.
    Env,
    /// A `.env` file.
    Dotenv,
    /// A file of the project folder.
    Project,
    /// A profile that is selected in the user's file.
    Profile,
    /// The `env` block of the user's file.
    EnvBlock,
    /// The user's own file.
    User,
    /// Another file of the user's, below the deciding one.
    OtherUser,
    /// A file for all users of the machine, below the user's.
    System,
}

impl LayerKind {
    /// Its stable name, as `tools --json` prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Managed => "managed",
            Self::Env => "env",
            Self::Dotenv => "dotenv",
            Self::Project => "project",
            Self::Profile => "profile",
            Self::EnvBlock => "env_block",
            Self::User => "user",
            Self::OtherUser => "other_user",
            Self::System => "system",
        }
    }

    /// The warning for a layer of this kind that wins over the edited key; `None` for the user's own places.
    pub const fn masks_with(self) -> Option<Code> {
        match self {
            Self::Role => Some(Code::MaskedByRoleOverride),
            Self::Managed => Some(Code::MaskedByManagedFile),
            Self::Env => Some(Code::MaskedByEnv),
            Self::Dotenv => Some(Code::MaskedByDotenv),
            Self::Project => Some(Code::MaskedByProjectFile),
            Self::Profile | Self::EnvBlock | Self::User | Self::OtherUser | Self::System => None,
        }
    }
}

/// Where a layer stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A key of a file.
    File {
        /// The file.
        path: ToolPath,
        /// The dotted key of the model.
        key: String,
    },
    /// A variable.
    Variable {
        /// Its name.
        name: String,
        /// Who saw it.
        origin: VarOrigin,
    },
}

impl Place {
    /// A key of a file.
    pub fn file(path: &ToolPath, key: impl Into<String>) -> Self {
        Self::File { path: path.clone(), key: key.into() }
    }
}

/// One place that names a model or a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What kind of place.
    pub kind: LayerKind,
    /// Which place.
    pub place: Place,
    /// The model it names, as the tool would use it.
    pub model: Option<String>,
    /// The provider it names, by the tool's own name for it.
    pub provider: Option<String>,
    /// False when the tool does not look at it in this version, folder or state.
    pub is_active: bool,
    /// What to say when it wins over the edited key, where its kind alone does not tell.
    pub mask: Option<Warning>,
    /// Of a gateway: the public name that it says this of.
    pub name: Option<String>,
}

impl Layer {
    /// A layer that the tool looks at. A key that somebody put in the place of a model is not repeated.
    pub fn new(kind: LayerKind, place: Place, model: Option<String>) -> Self {
        let model = model.map(|model| if looks_like_key(&model) { "…".to_owned() } else { model });
        Self { kind, place, model, provider: None, is_active: true, mask: None, name: None }
    }

    /// Sets the provider.
    #[must_use]
    pub fn provider(mut self, provider: Option<String>) -> Self {
        self.provider = provider;
        self
    }

    /// Sets the public name that it says this of.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Sets what to say when it wins over the edited key.
    #[must_use]
    pub fn masks_as(mut self, warning: Warning) -> Self {
        self.mask = Some(warning);
        self
    }

    /// Marks it as one that the tool does not look at.
    #[must_use]
    pub const fn inert(mut self) -> Self {
        self.is_active = false;
        self
    }
}

/// What a fresh start of the tool would use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effective {
    /// The model as the tool is told it; `None` when it does not start, uses a default of its own, or cannot be known.
    pub model: Option<String>,
    /// The provider by the tool's own name.
    pub provider: Option<String>,
    /// What an alias stands for.
    pub resolves_to: Option<String>,
    /// The layer that decides the model, as an index into [`Reading::layers`].
    pub decided_by: Option<usize>,
}

/// One of the tool's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenFile {
    /// Where the tool looks for it.
    pub path: ToolPath,
    /// Where it really lies, when that is elsewhere.
    pub target: Option<ToolPath>,
    /// Whether it is there.
    pub exists: bool,
}

/// What a fresh start does with a file that it cannot read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// An obstacle leaves it open what the tool uses; without one the layers decide.
    #[default]
    Usual,
    /// It goes on without the broken file: the other layers decide, obstacle or not.
    Skipping,
    /// It does not come up in this folder, though the user's own file may be fine: it uses no model.
    Never,
}

/// Everything that was read of one home of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Every place that names a model, the strongest first, inert ones too.
    pub layers: Vec<Layer>,
    /// What the tool uses when no active layer names a model or provider, as far as its rules say.
    pub fallback: Effective,
    /// The files that were looked at.
    pub files: Vec<SeenFile>,
    /// What the tool's state is worth telling, whatever is switched.
    pub warnings: Vec<Warning>,
    /// Why the tool cannot be switched in this state. Its effective model is then unknown, unless `start` says more.
    pub obstacle: Option<Warning>,
    /// Whether a fresh start comes to look at the layers.
    pub start: Start,
    /// Names that stand for other models in this tool's files.
    pub aliases: Vec<(String, String)>,
    /// Of a gateway: the public name that is asked about. Layers of other names do not count.
    pub asked: Option<String>,
}

impl Reading {
    /// What a fresh start uses.
    pub fn effective(&self) -> Effective {
        self.effective_without(|_| false)
    }

    /// The same as if the layers of some kinds were not there: outside the project, for other agents.
    pub fn effective_without(&self, leaves_out: impl Fn(LayerKind) -> bool) -> Effective {
        if self.start == Start::Never || (self.start == Start::Usual && self.obstacle.is_some()) {
            return Effective::default();
        }
        let counts = |layer: &Layer| layer.is_active && (layer.name.is_none() || layer.name == self.asked);
        let mut active = self.layers.iter().enumerate().filter(|(_, layer)| counts(layer) && !leaves_out(layer.kind));
        let decided_by = active.clone().find(|(_, layer)| layer.model.is_some()).map(|(index, _)| index);
        let model = decided_by.map_or(&self.fallback.model, |index| &self.layers[index].model).clone();
        let provider = active.find_map(|(_, layer)| layer.provider.clone()).or_else(|| self.fallback.provider.clone());
        let resolves_to = self.aliases.iter().find(|(name, _)| Some(name) == model.as_ref()).map(|(_, to)| to.clone());
        Effective { model, provider, resolves_to, decided_by }
    }

    /// The layer that decides the model.
    pub fn decider(&self) -> Option<&Layer> {
        self.effective().decided_by.map(|index| &self.layers[index])
    }
}
