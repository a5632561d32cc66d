//! `vacancy setup`: what the first page of the window does, in the terminal.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use serde_json::json;

use crate::args;
use crate::cli::{self, Context, Exit, Failure};
use crate::core::target::{Probing, Role};
use crate::i18n::Tr;
use crate::settings::SettingsFile;
use crate::settings::WriteError;
use crate::settings::discovery::{Ask, Found, KeyPlace, Login, Proposal, adopt, discover, disk::RealDisk};

/// Arguments of `vacancy setup`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write the settings file with what is ticked, without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
    /// Do not start the login shell to learn which key variables it sets
    #[arg(long)]
    pub no_shell: bool,
    /// Also ask the usual loopback ports of Ollama, LM Studio and other local servers for their models
    #[arg(long)]
    pub local: bool,
    /// Tick this model of the list too; may be given several times
    #[arg(long, value_name = "MODEL")]
    pub tick: Vec<String>,
}

/// Looks for what the user already uses, shows it, and writes the first settings file when told to.
///
/// # Errors
///
/// [`Exit::Refused`] when there is a settings file already, [`Exit::NeedsYes`] without `--yes` and a terminal,
/// [`Exit::Usage`] when what is to be ticked was not found.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let path = context.roots.settings_file();
    let ask = Ask { login_shell: !args.no_shell, local_servers: args.local };
    let mut found = discover(&context.roots, &context.env, &RealDisk, &ask);
    for wanted in &args.tick {
        match found.proposals.iter_mut().find(|proposal| proposal.target.as_str() == wanted) {
            Some(proposal) => proposal.is_ticked = true,
            None => {
                return Err(Failure::new(
                    Exit::Usage,
                    tr.with("discovery-no-such", &args!("model" => wanted.as_str())),
                ));
            }
        }
    }
    let ticked: Vec<bool> = found.proposals.iter().map(|proposal| proposal.is_ticked).collect();
    let text = if args.json { as_json(&found) } else { as_text(&found, tr) };
    cli::print(&(text + "\n"))?;
    if path.exists() {
        return Err(refused(&WriteError::Exists { path }, tr));
    }
    if !args.yes {
        match confirm(context, args.json)? {
            Some(true) => {}
            Some(false) => return Ok(Exit::Refused),
            None => return Err(Failure::new(Exit::NeedsYes, tr.text("discovery-needs-yes"))),
        }
    }
    SettingsFile::fresh(&path, &adopt(&found, &ticked)).save().map_err(|error| refused(&error, tr))?;
    if !args.json {
        cli::print(&(tr.with("discovery-written", &args!("path" => path.display().to_string())) + "\n"))?;
    }
    Ok(Exit::Done)
}

fn refused(error: &WriteError, tr: &Tr) -> Failure {
    let exit = if matches!(error, WriteError::Io { .. }) { Exit::Fault } else { Exit::Refused };
    Failure::new(exit, error.describe(tr))
}

/// Asks at the terminal; without one there is no answer.
fn confirm(context: &Context, is_json: bool) -> Result<Option<bool>, Failure> {
    let stdin = std::io::stdin();
    if is_json || !context.is_terminal || !stdin.is_terminal() {
        return Ok(None);
    }
    let mut out = std::io::stdout();
    let asked = write!(out, "{} ", context.tr.text("discovery-ask")).and_then(|()| out.flush());
    let mut answer = String::new();
    let read = asked.and_then(|()| stdin.lock().read_line(&mut answer));
    read.map_err(|error| Failure::new(Exit::Fault, error.to_string()))?;
    Ok(Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "是")))
}

fn as_text(found: &Found, tr: &Tr) -> String {
    let mut lines = Vec::new();
    if found.tools.is_empty() && found.keys.is_empty() && found.proposals.is_empty() {
        lines.push(tr.text("discovery-nothing"));
        return lines.join("\n");
    }
    if !found.tools.is_empty() {
        lines.push(tr.text("discovery-tools"));
        for tool in &found.tools {
            let login = tr.text(login_id(tool.login));
            let model = tool.model.clone().unwrap_or_else(|| tr.text("discovery-no-model"));
            lines.push(format!("  {} · {model} · {login}", tool.name));
            lines.extend(tool.files.iter().map(|file| format!("    {}", file.display())));
            for file in &tool.unreadable {
                let args = args!("path" => file.display().to_string());
                lines.push(format!("    {}", tr.with("discovery-unreadable", &args)));
            }
        }
    }
    if !found.keys.is_empty() {
        lines.push(tr.text("discovery-keys"));
        for key in &found.keys {
            lines.push(format!("  {} · {}", key.variable, tr.text(place_id(key.place))));
        }
    }
    if !found.proposals.is_empty() {
        lines.push(tr.text("discovery-proposals"));
        lines.extend(found.proposals.iter().flat_map(|proposal| row(proposal, tr)));
        let (requests, tokens) = total(found);
        lines.push(tr.with("discovery-total", &args!("requests" => requests, "tokens" => tokens)));
        if !found.proposals.iter().any(|proposal| proposal.is_ticked) {
            lines.push(tr.text("discovery-none-ticked"));
        }
    }
    lines.extend(found.hints(tr));
    lines.join("\n")
}

fn row(proposal: &Proposal, tr: &Tr) -> [String; 2] {
    let tick = if proposal.is_ticked { "x" } else { " " };
    let role = tr.text(match proposal.role {
        Role::Primary => "role-primary",
        Role::Backup => "role-backup",
        Role::Emergency => "role-emergency",
    });
    let cost = match proposal.probing {
        Probing::Scheduled => {
            tr.with("discovery-cost", &args!("requests" => proposal.requests_a_day, "tokens" => proposal.tokens_a_day))
        }
        Probing::OnDemand => tr.text("discovery-cost-on-demand"),
        Probing::Never => tr.text("discovery-cost-never"),
    };
    [format!("  [{tick}] {} · {role} · {cost}", proposal.target), format!("      {}", proposal.reason.text(tr))]
}

/// What the ticked proposals cost on a usual day.
fn total(found: &Found) -> (u32, u32) {
    let ticked = found.proposals.iter().filter(|proposal| proposal.is_ticked);
    ticked.fold((0u32, 0u32), |(requests, tokens), proposal| {
        (requests.saturating_add(proposal.requests_a_day), tokens.saturating_add(proposal.tokens_a_day))
    })
}

const fn login_id(login: Login) -> &'static str {
    match login {
        Login::None => "discovery-login-none",
        Login::ApiKey => "discovery-login-api-key",
        Login::Subscription => "discovery-login-subscription",
    }
}

const fn place_id(place: KeyPlace) -> &'static str {
    match place {
        KeyPlace::Process => "discovery-place-process",
        KeyPlace::LoginShell => "discovery-place-login-shell",
        KeyPlace::ToolFile => "discovery-place-tool-file",
    }
}

fn as_json(found: &Found) -> String {
    let login = |login| match login {
        Login::None => "none",
        Login::ApiKey => "api-key",
        Login::Subscription => "subscription",
    };
    let place = |place| match place {
        KeyPlace::Process => "process",
        KeyPlace::LoginShell => "login-shell",
        KeyPlace::ToolFile => "tool-file",
    };
    let tools = found.tools.iter().map(|tool| {
        json!({"tool": tool.tool, "model": tool.model, "login": login(tool.login), "files": tool.files, "unreadable": tool.unreadable})
    });
    let keys =
        found.keys.iter().map(|key| json!({"variable": key.variable, "place": place(key.place), "preset": key.preset}));
    let proposals = found.proposals.iter().map(|proposal| {
        json!({
            "target": proposal.target, "provider": proposal.provider.id, "model": proposal.model, "role": proposal.role,
            "dialect": proposal.provider.dialect, "preset": proposal.provider.preset,
            "base_url": proposal.provider.base_url, "key": proposal.provider.key.to_string(),
            "is_subscription": proposal.provider.is_subscription, "probing": proposal.probing,
            "requests_a_day": proposal.requests_a_day, "tokens_a_day": proposal.tokens_a_day,
            "ticked": proposal.is_ticked, "reason": proposal.reason.id().trim_start_matches("discovery-reason-"),
        })
    });
    let (requests, tokens) = total(found);
    json!({
        "tools": tools.collect::<Vec<_>>(), "keys": keys.collect::<Vec<_>>(), "proposals": proposals.collect::<Vec<_>>(),
        "ticked_requests_a_day": requests, "ticked_tokens_a_day": tokens,
    })
    .to_string()
}
