//! `vacancy tools`: which model each tool uses, and which place decides it.

use serde_json::json;

use crate::args;
use crate::cli::switch::{effective_json, warnings_json};
use crate::cli::tool_args::{ToolArgs, tool};
use crate::cli::{self, Context, Exit, Failure};
use crate::i18n::Tr;
use crate::switch::reading::{Layer, Place, Reading};
use crate::switch::shell::Machine;
use crate::switch::tool::{At, Home, Tool};
use crate::switch::tools::ALL;
use crate::switch::world::Versions;

/// Arguments of `vacancy tools`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these tools, whether they seem to be in use or not
    #[arg(value_name = "TOOL")]
    pub tools: Vec<String>,
    /// Where and how the tools are started
    #[command(flatten)]
    pub at: ToolArgs,
    /// Also list what could name a model and does not decide
    #[arg(long)]
    pub layers: bool,
    /// Print a JSON array, one object a home
    #[arg(long)]
    pub json: bool,
}

/// One home of a tool with what was read there.
#[derive(Debug)]
pub struct Found {
    /// Its name in commands.
    pub id: &'static str,
    /// Its own spelling of its name.
    pub name: &'static str,
    /// The home.
    pub home: Home,
    /// The versions.
    pub versions: Versions,
    /// What was read.
    pub reading: Reading,
}

/// Reads every tool that seems to be in use, or the named ones.
pub fn read(tools: &[&'static dyn Tool], is_named: bool, machine: &Machine) -> Vec<Found> {
    let mut found = Vec::new();
    for tool in tools {
        let homes = if is_named { machine.homes(*tool) } else { machine.present(*tool) };
        for home in homes {
            let world = machine.world(*tool);
            let reading = tool.read(&At { world, home: &home });
            found.push(Found { id: tool.id(), name: tool.name(), home, versions: world.versions, reading });
        }
    }
    found
}

/// Runs the verb.
///
/// # Errors
///
/// [`Exit::Usage`] for an unknown tool.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let named = args.tools.iter().map(|name| tool(name, context)).collect::<Result<Vec<_>, _>>()?;
    let machine = args.at.machine(context)?;
    let tools = if named.is_empty() { ALL } else { &named };
    let found = read(tools, !named.is_empty() || args.at.file.is_some(), &machine);
    let tr = &context.tr;
    cli::print(&if args.json {
        format!("{}\n", found.iter().map(|found| as_json(found, tr)).collect::<serde_json::Value>())
    } else if found.is_empty() {
        tr.text("switch-no-tools") + "\n"
    } else {
        found.iter().map(|found| as_text(found, args.layers, tr)).collect::<Vec<_>>().join("\n")
    })?;
    Ok(Exit::Done)
}

fn as_json(found: &Found, tr: &Tr) -> serde_json::Value {
    let effective = found.reading.effective();
    let layer_json = |layer: &Layer| {
        let mut value = match &layer.place {
            Place::File { path, key } => json!({"file": path, "key": key}),
            Place::Variable { name, .. } => json!({"variable": name}),
        };
        value["kind"] = json!(layer.kind.name());
        value["model"] = json!(layer.model);
        value["provider"] = json!(layer.provider);
        value["active"] = json!(layer.is_active);
        value
    };
    let versions = [found.versions.lowest, found.versions.highest].map(|version| version.map(|v| v.to_string()));
    let [lowest, highest] = versions;
    json!({
        "tool": found.id,
        "name": found.name,
        "home": found.home.path,
        "moved_by": found.home.moved_by,
        "version": highest,
        "lowest_version": lowest,
        "files": found.reading.files.iter().filter(|file| file.exists).map(|file| &file.path).collect::<Vec<_>>(),
        "effective": effective_json(&effective),
        "decided_by": found.reading.decider().map(layer_json),
        "layers": found.reading.layers.iter().map(layer_json).collect::<Vec<_>>(),
        "switchable": found.reading.obstacle.is_none(),
        "reason": found.reading.obstacle.as_ref().map(|obstacle| obstacle.message(tr)),
        "warnings": warnings_json(&found.reading.warnings, tr),
    })
}

/// Where a layer stands, in words.
pub fn place(place: &Place, tr: &Tr) -> String {
    match place {
        Place::File { path, key } if key.is_empty() => path.to_string(),
        Place::File { path, key } => {
            tr.with("switch-place-file", &args!("file" => path.to_string(), "key" => key.as_str()))
        }
        Place::Variable { name, .. } => tr.with("switch-place-variable", &args!("name" => name.as_str())),
    }
}

/// A model with its provider, where that is known.
pub fn with_provider(model: String, provider: Option<&str>, tr: &Tr) -> String {
    match provider {
        Some(provider) => tr.with("cli-aside", &args!("text" => model, "aside" => provider)),
        None => model,
    }
}

fn as_text(found: &Found, all_layers: bool, tr: &Tr) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    let effective = found.reading.effective();
    let version = match (found.versions.lowest, found.versions.highest) {
        (Some(lowest), Some(highest)) if lowest != highest => format!(" {lowest} – {highest}"),
        (_, Some(version)) => format!(" {version}"),
        _ => String::new(),
    };
    line(format!("{}{version}  {}", found.name, found.home.path));
    if let Some(obstacle) = &found.reading.obstacle {
        line(format!("  ! {}", obstacle.message(tr)));
    } else {
        let model = effective.model.clone().unwrap_or_else(|| tr.text("switch-own-default"));
        let model = effective.resolves_to.as_ref().map_or(model.clone(), |to| format!("{model} → {to}"));
        let model = with_provider(model, effective.provider.as_deref(), tr);
        let decided = found.reading.decider().map(|layer| format!("  · {}", place(&layer.place, tr)));
        line(format!("  {model}{}", decided.unwrap_or_default()));
    }
    if all_layers {
        for (index, layer) in found.reading.layers.iter().enumerate() {
            let mark = match (effective.decided_by == Some(index), layer.is_active) {
                (true, _) => "→",
                (false, true) => "·",
                (false, false) => "×",
            };
            let named = [&layer.model, &layer.provider].into_iter().flatten().cloned().collect::<Vec<_>>().join(" · ");
            line(format!("    {mark} {named}  {}", place(&layer.place, tr)));
        }
    }
    for warning in &found.reading.warnings {
        line(format!("  ! {}", warning.message(tr)));
    }
    text
}
