//! llm (simonw/llm): `default_model.txt`, one name and nothing else; it may be an alias of `aliases.json`.
//!
//! Sources: the project's docs/setup.md and llm/cli.py; `LLM_MODEL` was seen to work on 0.30. White space at both ends is
//! stripped when the file is read; a byte order mark is not, and becomes part of the name (seen on 0.30).

use crate::core::platform::Platform;
use crate::edit::{Entry, JsonDialect, Language};
use crate::switch::load::{Loaded, load};
use crate::switch::reading::{Layer, LayerKind, Place, Reading};
use crate::switch::tool::{At, Change, Changes, Home, TakesEffect, Tool, ToolEndpoint, Wanted};
use crate::switch::tools::parts::misleads;
use crate::switch::warning::{Code, Warning};
use crate::switch::world::World;

const FILE: &str = "default_model.txt";
const ALIASES: &str = "aliases.json";
/// The command's option declares it, so it stands in for `-m`.
const VARIABLE: &str = "LLM_MODEL";

pub(super) struct Llm;

impl Tool for Llm {
    fn id(&self) -> &'static str {
        "llm"
    }

    fn name(&self) -> &'static str {
        "llm"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["llm"]
    }

    fn homes(&self, world: &World<'_>) -> Vec<Home> {
        if let Some(moved) = world.vars.get("LLM_USER_PATH") {
            return vec![Home { path: world.home.join(moved), moved_by: Some("LLM_USER_PATH") }];
        }
        // Where it lies on Windows is what Python's click says of application folders; it was not seen there.
        let base = match world.platform {
            Platform::Linux => world.xdg_config(),
            Platform::Macos | Platform::Windows => world.system_config(),
        };
        vec![Home { path: base.join("io.datasette.llm"), moved_by: None }]
    }

    fn is_present(&self, at: &At<'_>) -> bool {
        at.world.files.exists(&at.home.path)
    }

    fn read(&self, at: &At<'_>) -> Reading {
        let mut reading = Reading::default();
        if let Some(model) = at.world.vars.get(VARIABLE) {
            let origin = at.world.vars.origin(VARIABLE).expect("it was just read");
            let place = Place::Variable { name: VARIABLE.to_owned(), origin };
            reading.layers.push(Layer::new(LayerKind::Env, place, Some(model.to_owned())));
        }
        let path = at.home.path.join(FILE);
        match load(&at.world, &mut reading.files, &path, Language::Text) {
            Loaded::Missing => {}
            Loaded::Broken(warning) | Loaded::Unreadable(warning) => reading.obstacle = Some(warning),
            Loaded::Parsed(document, _) => {
                if document.has_bom() {
                    reading.warnings.push(Warning::new(Code::BomPresent, "switch-llm-bom").with("file", &path));
                }
                let model = document.root().as_text().filter(|model| !model.is_empty()).map(str::to_owned);
                reading.layers.push(Layer::new(LayerKind::User, Place::file(&path, ""), model));
            }
        }
        aliases(at, &mut reading);
        reading
    }

    fn change(&self, at: &At<'_>, _: &Reading, wanted: &Wanted) -> Result<Changes, Warning> {
        let change = Change::text(&at.home.path.join(FILE), Language::Text, &[], &wanted.model).or_new();
        Ok(Changes { changes: vec![change], warnings: Vec::new() })
    }

    fn endpoints(&self, _: &At<'_>) -> Vec<ToolEndpoint> {
        // A name is resolved by whatever plug-ins are installed; only llm itself knows them.
        Vec::new()
    }

    fn takes_effect(&self) -> TakesEffect {
        TakesEffect::NextCommand
    }
}

/// The user's names for models, and whether the one in use says something else than it means.
fn aliases(at: &At<'_>, reading: &mut Reading) {
    let path = at.home.path.join(ALIASES);
    let loaded = load(&at.world, &mut reading.files, &path, Language::Json(JsonDialect::STRICT));
    let Some(document) = loaded.document() else { return };
    let named = |entry: &Entry| Some((entry.key.clone(), entry.value.as_text()?.to_owned()));
    reading.aliases = document.root().entries().iter().rev().filter_map(named).collect();
    let effective = reading.effective();
    if let (Some(name), Some(target)) = (effective.model, effective.resolves_to)
        && misleads(&name, &target, &[])
    {
        let warning = Warning::new(Code::AliasRemapped, "switch-llm-alias").with("file", path);
        reading.warnings.push(warning.with("name", name).with("value", target));
    }
}
