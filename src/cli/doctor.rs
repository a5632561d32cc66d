//! `vacancy doctor`: what keeps switches and the record from working, and what to do about it.

mod chains;
mod folders;

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::app::tooling::{damage_words, journal_words};
use crate::args;
use crate::cli::tool_args::ToolArgs;
use crate::cli::tools::{Found, place, read};
use crate::cli::{self, Context, Exit, Failure};
use crate::format;
use crate::i18n::Tr;
use crate::secrets::KeyRef;
use crate::settings::{self, Provider, Settings};
use crate::store::{Reader, StoreError};
use crate::switch::journal::Stage;
use crate::switch::reading::Place;
use crate::switch::shell::{Machine, Switcher};
use crate::switch::tools::ALL;
use crate::switch::world::VarOrigin;

/// How long another program that writes to the record is waited for.
const BUSY: Duration = Duration::from_secs(2);

/// Arguments of `vacancy doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 nothing stands in the way, 3 something does.")]
pub struct Args {
    /// Where and how the tools are started
    #[command(flatten)]
    pub at: ToolArgs,
    /// Print a JSON array, one object a finding
    #[arg(long)]
    pub json: bool,
}

/// How a finding is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// As it should be.
    Good,
    /// Worth knowing.
    Note,
    /// It keeps something from working.
    Trouble,
}

impl Weight {
    const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Note => "note",
            Self::Trouble => "trouble",
        }
    }

    const fn mark(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Note => "·",
            Self::Trouble => "!",
        }
    }
}

/// One thing that was looked at.
struct Finding {
    weight: Weight,
    /// `settings`, `folders`, `record`, `journal`, or a tool's name.
    about: String,
    /// A warning's code, where it has one.
    code: Option<&'static str>,
    message: String,
}

impl Finding {
    fn new(weight: Weight, about: &str, message: String) -> Self {
        Self { weight, about: about.to_owned(), code: None, message }
    }
}

/// Runs the verb.
///
/// # Errors
///
/// [`Exit::Usage`] when the options cannot be read.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let machine = args.at.machine(context)?;
    let path = context.roots.settings_file();
    let loaded = path.exists().then(|| Settings::load(&path));
    let mut findings = match dangling("switch-doctor-settings-link", "settings", &path, tr) {
        Some(finding) => vec![finding],
        None => settings(loaded.as_ref(), tr),
    };
    if let Some(Ok(settings)) = &loaded {
        findings.extend(unset_keys(settings, context));
    }
    findings.extend(folders::look(context));
    findings.push(record(context));
    findings.extend(journal(&machine, context));
    for found in read(ALL, false, &machine) {
        findings.extend(tool(&found, tr));
        if let Some(Ok(settings)) = &loaded {
            findings.extend(chains::look(&found, settings, &machine, context));
        }
    }
    let troubles = findings.iter().filter(|finding| finding.weight == Weight::Trouble).count();
    cli::print(&if args.json { as_json(&findings) } else { as_text(&findings, troubles, tr) })?;
    Ok(if troubles == 0 { Exit::Done } else { Exit::Refused })
}

fn settings(loaded: Option<&Result<Settings, Vec<settings::finding::Finding>>>, tr: &Tr) -> Vec<Finding> {
    match loaded {
        None => vec![Finding::new(Weight::Note, "settings", tr.text("switch-doctor-settings-none"))],
        Some(Err(found)) => {
            let lines = found.iter().map(|finding| finding.line_text(tr));
            lines.map(|line| Finding::new(Weight::Trouble, "settings", line)).collect()
        }
        Some(Ok(settings)) => {
            let text = tr.with("switch-doctor-settings-good", &args!("targets" => settings.targets.len()));
            let warnings = settings.warnings.iter().map(|finding| finding.line_text(tr));
            let warnings = warnings.map(|line| Finding::new(Weight::Note, "settings", line));
            std::iter::once(Finding::new(Weight::Good, "settings", text)).chain(warnings).collect()
        }
    }
}

/// Providers of watched models whose key is named by a variable that is not set here. Commands and keyrings are not asked:
/// they may want to be unlocked.
fn unset_keys<'a>(settings: &'a Settings, context: &'a Context) -> impl Iterator<Item = Finding> + 'a {
    let is_watched = |provider: &Provider| settings.targets.iter().any(|target| target.provider == provider.id);
    settings.providers.iter().filter(move |provider| is_watched(provider)).filter_map(|provider| match &provider.key {
        KeyRef::Env(name) if context.env.get(name).is_none() => {
            let text = args!("provider" => provider.id.as_str(), "name" => name.as_str());
            let message = context.tr.with("switch-doctor-key-unset", &text);
            Some(Finding::new(Weight::Trouble, "settings", message))
        }
        _ => None,
    })
}

/// A link in the place of a file that leads to nothing: no file for who reads, one for who would make it.
fn dangling(id: &str, about: &str, path: &Path, tr: &Tr) -> Option<Finding> {
    let to = path.read_link().ok().filter(|_| !path.exists())?;
    let text = args!("path" => path.display().to_string(), "to" => to.display().to_string());
    Some(Finding::new(Weight::Trouble, about, tr.with(id, &text)))
}

fn record(context: &Context) -> Finding {
    let (path, tr) = (context.roots.database(), &context.tr);
    if let Some(finding) = dangling("switch-doctor-record-link", "record", &path, tr) {
        return finding;
    }
    if !path.exists() {
        return Finding::new(Weight::Note, "record", tr.text("switch-doctor-record-none"));
    }
    let checked = Reader::open_briefly(&path, BUSY).and_then(|reader| reader.check().and_then(|()| reader.bytes()));
    match checked {
        Ok(bytes) => {
            let size = args!("size" => format::bytes(bytes, tr));
            Finding::new(Weight::Good, "record", tr.with("switch-doctor-record-good", &size))
        }
        // The next start begins it: nothing that was there is lost.
        Err(error @ StoreError::Missing { .. }) => Finding::new(Weight::Note, "record", error.text(tr)),
        Err(error) => {
            let reason = args!("reason" => error.text(tr));
            Finding::new(Weight::Trouble, "record", tr.with("switch-doctor-record-bad", &reason))
        }
    }
}

/// Switches that a crash cut short: those that can be told from the files are closed.
fn journal(machine: &Machine, context: &Context) -> Vec<Finding> {
    let tr = &context.tr;
    let switcher = Switcher { files: &machine.files, data: &context.roots.data, clock: &*context.clock };
    match switcher.settle() {
        Err(error) => vec![Finding::new(Weight::Trouble, "journal", journal_words(&error, tr))],
        Ok(found) => found
            .iter()
            .map(|switch| {
                let entry = &switch.entry;
                if switch.stage != Stage::Unfinished {
                    let text = args!("id" => entry.id, "tool" => entry.tool.as_str());
                    return Finding::new(Weight::Note, "journal", tr.with("switch-doctor-settled", &text));
                }
                let files: Vec<String> = entry.files.iter().map(|file| file.path.to_string()).collect();
                let text = args!("id" => entry.id, "tool" => entry.tool.as_str(), "files" => format::list(&files, tr));
                Finding::new(Weight::Trouble, "journal", tr.with("switch-doctor-unfinished", &text))
            })
            .chain(damage_words(&context.roots.data, tr).map(|words| Finding::new(Weight::Note, "journal", words)))
            .collect(),
    }
}

fn tool(found: &Found, tr: &Tr) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(obstacle) = &found.reading.obstacle {
        let code = Some(obstacle.code.name());
        findings.push(Finding { code, ..Finding::new(Weight::Trouble, found.id, obstacle.message(tr)) });
    } else {
        let effective = found.reading.effective();
        let text = match (&effective.model, found.reading.decider()) {
            (Some(model), Some(layer)) => {
                let decided = place(&layer.place, tr);
                let args = args!("tool" => found.name, "model" => model.as_str(), "place" => decided);
                tr.with("switch-doctor-tool-good", &args)
            }
            _ => tr.with("switch-doctor-tool-default", &args!("tool" => found.name)),
        };
        findings.push(Finding::new(Weight::Good, found.id, text));
    }
    for layer in &found.reading.layers {
        let Place::Variable { name, origin } = &layer.place else { continue };
        let text = match origin {
            VarOrigin::LoginShell => tr.with("switch-doctor-shell", &args!("name" => name.as_str())),
            VarOrigin::Running(pid) => {
                let args = args!("tool" => found.name, "pid" => *pid, "name" => name.as_str());
                tr.with("switch-doctor-tool-running", &args)
            }
            VarOrigin::Process | VarOrigin::Static => continue,
        };
        findings.push(Finding::new(Weight::Note, found.id, text));
    }
    for warning in &found.reading.warnings {
        let finding = Finding::new(Weight::Note, found.id, warning.message(tr));
        findings.push(Finding { code: Some(warning.code.name()), ..finding });
    }
    findings
}

fn as_json(findings: &[Finding]) -> String {
    let all = findings.iter().map(|finding| {
        json!({
            "weight": finding.weight.name(),
            "about": finding.about,
            "code": finding.code,
            "message": finding.message,
        })
    });
    format!("{}\n", all.collect::<serde_json::Value>())
}

/// What a finding is about, in words; a tool's name is its own.
fn about(about: &str, tr: &Tr) -> String {
    match about {
        "settings" | "folders" | "record" | "journal" => tr.text(&format!("switch-doctor-about-{about}")),
        tool => tool.to_owned(),
    }
}

fn as_text(findings: &[Finding], troubles: usize, tr: &Tr) -> String {
    let mut text = String::new();
    for finding in findings {
        let line = format::labelled(&about(&finding.about, tr), &finding.message, tr);
        text += &format!("{} {line}\n", finding.weight.mark());
    }
    let end = match troubles {
        0 => tr.text("switch-doctor-good"),
        count => tr.with("switch-doctor-found", &args!("count" => count)),
    };
    text + &end + "\n"
}
