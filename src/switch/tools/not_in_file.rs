//! Tools that are known and cannot be switched by a file, each with the reason.
//!
//! Amp: no model key is documented; its modes choose the model. Roo Code: shut down on 2026-05-15; its state lies in the
//! editor's database and secret storage.

use crate::core::platform::Platform;
use crate::switch::path::ToolPath;
use crate::switch::reading::{Reading, SeenFile};
use crate::switch::tool::{At, Changes, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

/// A tool that keeps its model elsewhere.
pub(super) struct NotInFile {
    id: &'static str,
    name: &'static str,
    programs: &'static [&'static str],
    /// Where its own files lie.
    home: fn(&World<'_>) -> ToolPath,
    /// Files there that show that it is in use; none where the folder itself does.
    files: &'static [&'static str],
    /// The message with the reason.
    reason: &'static str,
}

pub(super) const AMP: NotInFile = NotInFile {
    id: "amp",
    name: "Amp",
    programs: &["amp"],
    home: |world| world.xdg_config().join("amp"),
    files: &["settings.json", "settings.jsonc"],
    reason: "switch-amp-refused",
};

pub(super) const ROO: NotInFile = NotInFile {
    id: "roo",
    name: "Roo Code",
    programs: &[],
    home: |world| {
        let editor = match world.platform {
            Platform::Linux => world.xdg_config(),
            Platform::Macos | Platform::Windows => world.system_config(),
        };
        editor.join("Code/User/globalStorage/rooveterinaryinc.roo-cline")
    },
    files: &[],
    reason: "switch-roo-refused",
};

impl NotInFile {
    fn refusal(&self) -> Warning {
        Warning::new(Code::StorageNotInFile, self.reason)
    }

    fn own_files<'a>(&'a self, at: &'a At<'_>) -> impl Iterator<Item = ToolPath> + 'a {
        self.files.iter().map(|name| at.home.path.join(name))
    }
}

impl Tool for NotInFile {
    fn id(&self) -> &'static str {
        self.id
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn programs(&self) -> &'static [&'static str] {
        self.programs
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        vec![Home { path: (self.home)(world), moved_by: None }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        let has_file = self.own_files(at).any(|path| at.world.files.exists(&path));
        has_file || (self.files.is_empty() && at.world.files.exists(&at.home.path))
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let seen = |path: ToolPath| SeenFile { target: None, exists: at.world.files.exists(&path), path };
        let files = self.own_files(at).map(seen).collect();
        Reading { files, obstacle: Some(self.refusal()), ..Reading::default() }
    }

    fn change(&self, _: &At<'_>, _: &Reading, _: &Wanted) -> Result<Changes, Warning> {
        Err(self.refusal())
    }

    fn endpoints(&self, _: &At<'_>) -> Vec<ToolEndpoint> {
        Vec::new()
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }
}
