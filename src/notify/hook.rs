//! The user's own program, run for each notice: no shell, the notice as JSON on its input and as variables, a time limit.
//!
//! What it reads is in [`crate::notify::data`]. It inherits our environment without the variables that hold keys: those
//! that the settings name, and those of every preset. It runs in the folder of the settings file. What it prints goes
//! to the log, at most a few lines of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::args;
use crate::core::secretive::masked;
use crate::i18n::Tr;
use crate::notify::Message;
use crate::notify::config::{Address, Hook};
use crate::notify::data;
use crate::secrets::KeyRef;
use crate::settings::Settings;
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::toolprobe::find;
use crate::toolprobe::run::{End, Input, Ran, Stop, Task, Wish, run};
use crate::wire::presets::Preset;

/// More output than this, in bytes, ends a run.
const OUTPUT: usize = 64 * 1024;

/// Characters of the output that are kept for the log.
const KEPT: usize = 400;

/// A run that came to its end with success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookRan {
    /// The program that was run.
    pub program: PathBuf,
    /// How long it took.
    pub elapsed: Duration,
}

/// Why the hook did not do its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HookError {
    /// There is no such program.
    #[error("the hook {program} is not there; give its full path in [notices] hook")]
    Missing {
        /// As written.
        program: String,
    },
    /// The system did not start it.
    #[error("the hook {program} could not be started ({reason}); check that it may be run")]
    NotStarted {
        /// As written.
        program: String,
        /// The system's words.
        reason: String,
    },
    /// It ended with a failure.
    #[error("the hook {program} failed ({status}): {output}")]
    Failed {
        /// As written.
        program: String,
        /// The exit code or the signal.
        status: String,
        /// Its exit code; `None` after a signal.
        code: Option<i32>,
        /// What it complained of, on one line.
        output: String,
    },
    /// It took too long and was ended with all that it started.
    #[error("the hook {program} did not end in {seconds} s and was stopped; set a longer timeout, or make it quicker")]
    TooSlow {
        /// As written.
        program: String,
        /// How long it had.
        seconds: u64,
    },
    /// It printed far too much and was ended.
    #[error("the hook {program} printed more than {kib} KiB and was stopped; have it print less")]
    TooLoud {
        /// As written.
        program: String,
        /// The most.
        kib: usize,
    },
    /// It was ended, as Vacancy ends.
    #[error("the hook {program} was stopped with Vacancy; nothing is to be done")]
    Stopped {
        /// As written.
        program: String,
    },
}

impl HookError {
    /// What is wrong and what to do next, in the user's language.
    pub fn describe(&self, tr: &Tr) -> String {
        match self {
            Self::Missing { program } => tr.with("notify-hook-missing", &args!("program" => program.as_str())),
            Self::NotStarted { program, reason } => {
                tr.with("notify-hook-not-started", &args!("program" => program.as_str(), "reason" => reason.as_str()))
            }
            Self::Failed { program, status, output, .. } => {
                let args =
                    args!("program" => program.as_str(), "status" => status.as_str(), "output" => output.as_str());
                tr.with("notify-hook-failed", &args)
            }
            Self::TooSlow { program, seconds } => {
                tr.with("notify-hook-slow", &args!("program" => program.as_str(), "seconds" => *seconds))
            }
            Self::TooLoud { program, kib } => {
                tr.with("notify-hook-loud", &args!("program" => program.as_str(), "kib" => *kib))
            }
            Self::Stopped { program } => tr.with("notify-hook-stopped", &args!("program" => program.as_str())),
        }
    }
}

/// The variables that may hold keys, by name: none of them reaches a hook.
pub fn key_variables(settings: &Settings) -> BTreeSet<String> {
    let presets = Preset::all().flat_map(|preset| preset.key_vars).map(|name| (*name).to_owned());
    let webhook = settings.notices.webhook.iter().filter_map(|webhook| match &webhook.url {
        Address::Kept(key) => Some(key),
        Address::Open(_) => None,
    });
    let named = settings.providers.iter().map(|provider| &provider.key).chain(webhook).filter_map(|key| match key {
        KeyRef::Env(name) => Some(name.clone()),
        _ => None,
    });
    presets.chain(named).chain(["ANTHROPIC_AUTH_TOKEN".to_owned()]).collect()
}

/// Runs the hook for a notice and waits for its end. Blocks, at most for its time limit.
///
/// # Errors
///
/// When it did not end with success.
pub fn call(
    hook: &Hook,
    message: &Message,
    env: &Env,
    roots: &Roots,
    keys: &BTreeSet<String>,
    stop: &Stop,
) -> Result<HookRan, HookError> {
    let (name, arguments) = hook.command.split_first().ok_or(HookError::Missing { program: String::new() })?;
    let program = locate(name, env, roots).ok_or_else(|| HookError::Missing { program: name.clone() })?;
    let mut variables: Vec<(String, String)> = env
        .iter()
        .filter(|(name, _)| !keys.contains(*name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    variables.extend(data::variables(message));
    let mut input = data::notice(message).to_string().into_bytes();
    input.push(b'\n');
    let task = Task {
        program: &program,
        arguments: arguments.to_vec(),
        variables,
        folder: if roots.config.is_dir() { &roots.config } else { &roots.home },
        input: Some(Input::Whole(input)),
        deadline: hook.timeout,
        output_limit: OUTPUT,
    };
    let ran = run(task, stop, |_| Wish::More)
        .map_err(|error| HookError::NotStarted { program: name.clone(), reason: error.to_string() })?;
    judge(name, hook.timeout, &ran)?;
    Ok(HookRan { program, elapsed: ran.elapsed })
}

fn judge(name: &str, timeout: Duration, ran: &Ran) -> Result<(), HookError> {
    let program = name.to_owned();
    match ran.end {
        End::Exited(status) if status.success() => {
            tracing::debug!(program, output = said(ran), "the hook ran");
            Ok(())
        }
        End::Exited(status) => {
            Err(HookError::Failed { program, status: status.to_string(), code: status.code(), output: said(ran) })
        }
        End::Deadline => Err(HookError::TooSlow { program, seconds: timeout.as_secs() }),
        End::TooMuch => Err(HookError::TooLoud { program, kib: OUTPUT / 1024 }),
        // Without a way to learn of the end alone, the end of its output stands for it.
        End::Enough => Ok(()),
        End::Stopped => Err(HookError::Stopped { program }),
    }
}

/// The program of a name: on the path, or below the folder of the settings for a relative path.
fn locate(name: &str, env: &Env, roots: &Roots) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        let path = path.strip_prefix("~").map_or_else(|_| roots.config.join(path), |below| roots.home.join(below));
        return path.is_file().then_some(path);
    }
    find::all(name, env, &roots.home).next()
}

/// What it complained of, else what it printed: on one line, bounded, without what looks like a key.
fn said(ran: &Ran) -> String {
    let bytes = if ran.stderr.trim_ascii().is_empty() { &ran.stdout } else { &ran.stderr };
    let text = String::from_utf8_lossy(bytes);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let kept: String = line.chars().filter(|c| !c.is_control()).take(KEPT).collect();
    masked(&kept)
}
