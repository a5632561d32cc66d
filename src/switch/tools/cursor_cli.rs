//! Cursor's command line: `cli-config.json` is read, and never written.
//!
//! Source: Cursor's documentation page on configuration, and what others saw: `model` is an object, beside keys that record
//! the history of choices and the account; the program repairs the file and renames a broken one. A change of one key would
//! not agree with the rest, so the way is `--model`.

use crate::core::platform::Platform;
use crate::edit::{JsonDialect, Language};
use crate::switch::load::{Loaded, load};
use crate::switch::path::ToolPath;
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Changes, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::found;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

const JSON: Language = Language::Json(JsonDialect::STRICT);

pub(super) struct CursorCli;

fn file(at: &At<'_>) -> ToolPath {
    at.home.path.join("cli-config.json")
}

impl Tool for CursorCli {
    fn id(&self) -> &'static str {
        "cursor-cli"
    }

    fn other_ids(&self) -> &'static [&'static str] {
        &["cursor"]
    }

    fn name(&self) -> &'static str {
        "Cursor CLI"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["cursor-agent", "agent"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        let moved = |name: &'static str, below: &str| {
            world.vars.get(name).map(|path| Home { path: world.home.join(path).join(below), moved_by: Some(name) })
        };
        let xdg = || (world.platform == Platform::Linux).then(|| moved("XDG_CONFIG_HOME", "cursor")).flatten();
        let usual = || Home { path: world.home.join(".cursor"), moved_by: None };
        vec![moved("CURSOR_CONFIG_DIR", "").or_else(xdg).unwrap_or_else(usual)]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&file(at))
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        let path = file(at);
        match load(&at.world, &mut reading.files, &path, JSON) {
            Loaded::Missing => {}
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => reading.obstacle = Some(warning),
            Loaded::Parsed(document, _) => {
                let model = found(&document, &["model", "modelId"]).text().map(str::to_owned);
                reading.layers.push(Layer::new(LayerKind::User, Place::file(&path, "model.modelId"), model));
            }
        }
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let warning = Warning::new(Code::StorageNotInFile, "switch-cursor-refused");
        Err(warning.with("file", file(at)).with("model", &wanted.model))
    }

    fn endpoints(&self, _: &At<'_>) -> Vec<ToolEndpoint> {
        Vec::new()
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::Restart
    }
}
