//! What the user is told beside a switch: a stable code, and a message that names sources and values.

use crate::i18n::{FluentArgs, Tr};

/// Declares the codes with their stable names.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal,)*) => {
        /// A stable code of a warning; `switch --json` and `tools --json` print its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* $code,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// Its name in JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)*
                }
            }
        }
    };
}

codes! {
    /// A process environment variable decides.
    MaskedByEnv = "masked_by_env",
    /// A `.env` file decides.
    MaskedByDotenv = "masked_by_dotenv",
    /// A project or workspace config decides.
    MaskedByProjectFile = "masked_by_project_file",
    /// A system or managed config decides.
    MaskedByManagedFile = "masked_by_managed_file",
    /// An agent, profile or role key decides for the default role.
    MaskedByRoleOverride = "masked_by_role_override",
    /// The deciding key is an `env` entry in the same file; that entry was edited.
    DecidedByEnvBlock = "decided_by_env_block",
    /// Codex up to 0.133: the selected profile decides; that key was edited.
    LegacyProfileSelected = "legacy_profile_selected",
    /// The tool will not start with this file.
    FatalForTool = "fatal_for_tool",
    /// The tool rejects or skips this file.
    InvalidForTool = "invalid_for_tool",
    /// Not valid in the file's own language.
    ParseError = "parse_error",
    /// Valid, but the key stands in a form of which its value alone cannot be changed.
    FormNotEditable = "form_not_editable",
    /// The key exists with a type the tool does not accept.
    WrongType = "wrong_type",
    /// An old shape was found.
    LegacyShape = "legacy_shape",
    /// A key that looks active has no effect in this version.
    InertKey = "inert_key",
    /// A JSON key occurs twice; the last was edited.
    DuplicateKey = "duplicate_key",
    /// The file starts with a byte order mark.
    BomPresent = "bom_present",
    /// The old value was an environment or file reference.
    ValueWasReference = "value_was_reference",
    /// The provider's credential variable is not set.
    ProviderKeyMissing = "provider_key_missing",
    /// Codex thread lists are filtered by provider.
    ProviderSwitchHidesSessions = "provider_switch_hides_sessions",
    /// An alias points somewhere other than its name suggests.
    AliasRemapped = "alias_remapped",
    /// Two files of the same scope exist.
    MultipleConfigFiles = "multiple_config_files",
    /// Another user-level file sets the key but does not decide.
    OtherFileMasked = "other_file_masked",
    /// The tool will lose comments at its own next write.
    ToolDropsComments = "tool_drops_comments",
    /// The gateway may load models from a database.
    ModelsMayComeFromDb = "models_may_come_from_db",
    /// The tool keeps this setting elsewhere; no edit possible.
    StorageNotInFile = "storage_not_in_file",
    /// The file, or the target of its link, cannot be written.
    TargetReadonly = "target_readonly",
    /// The model is neither on the provider's list nor seen working.
    ModelUnverified = "model_unverified",
    /// A list of models leaves this one out; the tool takes another.
    ModelNotAllowed = "model_not_allowed",
    /// Two credentials for one endpoint are set, and the tool sends both.
    TwoCredentials = "two_credentials",
    /// A running instance keeps this setting in memory and may write its own value back.
    ToolMayWriteBack = "tool_may_write_back",
    /// The tool's files define no such provider, and a switch never adds one.
    ProviderUnknown = "provider_unknown",
    /// More than one place could be meant; which one must be said.
    AmbiguousTarget = "ambiguous_target",
    /// Several installed versions lie on both sides of a rule that matters here.
    VersionsDiffer = "versions_differ",
}

impl Code {
    /// Whether it tells what a fresh start will use, and not how a file is written: after a switch, what is true then
    /// counts.
    pub const fn is_of_outcome(self) -> bool {
        matches!(
            self,
            Self::MaskedByEnv
                | Self::MaskedByDotenv
                | Self::MaskedByProjectFile
                | Self::MaskedByManagedFile
                | Self::MaskedByRoleOverride
                | Self::AliasRemapped
                | Self::FatalForTool
                | Self::ModelNotAllowed
        )
    }
}

impl Code {
    /// Whether the user must have seen it before a tool is switched: what only tells how a file is written, or what a tool
    /// does with it later, does not hold up a switch that nobody looks at.
    pub const fn needs_eye(self) -> bool {
        !matches!(
            self,
            Self::DecidedByEnvBlock
                | Self::LegacyProfileSelected
                | Self::LegacyShape
                | Self::InertKey
                | Self::DuplicateKey
                | Self::BomPresent
                | Self::ProviderSwitchHidesSessions
                | Self::MultipleConfigFiles
                | Self::OtherFileMasked
                | Self::ToolDropsComments
                | Self::ToolMayWriteBack
        )
    }
}

/// A code with the message that says what it means here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What kind of warning.
    pub code: Code,
    /// The message's id in the catalogue, area `switch` or a tool's part of it.
    pub text: &'static str,
    /// The message's variables. Never a key.
    pub args: Vec<(&'static str, String)>,
}

impl Warning {
    /// A warning in the words of message `text`.
    pub const fn new(code: Code, text: &'static str) -> Self {
        Self { code, text, args: Vec::new() }
    }

    /// Sets a variable of the message.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.args.push((name, value.to_string()));
        self
    }

    /// The message in a language.
    pub fn message(&self, tr: &Tr) -> String {
        let mut args = FluentArgs::new();
        for (name, value) in &self.args {
            args.set(*name, value.as_str());
        }
        tr.with(self.text, &args)
    }
}
