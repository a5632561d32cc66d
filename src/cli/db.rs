//! `vacancy db`: looks after the database.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;

use crate::args;
use crate::cli::{self, Context, Exit, Failure};
use crate::format;
use crate::i18n::{FluentArgs, Tr};
use crate::store::{self, DEFAULT_RETENTION_DAYS, Health, Options, Reader, Store, StoreError, StoreHandle};

/// Arguments of `vacancy db`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do; otherwise info
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Print size, counts and backups
    Info {
        /// As one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check the whole file
    Check,
    /// Write a backup beside the database; the oldest ones go. A damaged database is refused and stays as it is
    Backup,
    /// Put a backup in the database's place; the present file is kept under another name
    Restore {
        /// The backup; otherwise the newest good one
        file: Option<PathBuf>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Give unused space back to the system
    Compact,
    /// Make all quarter hours again from their samples
    Rebuild,
    /// Delete old samples; their quarter hours stay
    Prune {
        /// Keep this many days
        #[arg(long, value_name = "DAYS", default_value_t = DEFAULT_RETENTION_DAYS)]
        days: u32,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

/// Runs the verb.
///
/// # Errors
///
/// When the database cannot be used, and when it would need to ask and there is no terminal.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let tr = &context.tr;
    let fault = |error: StoreError| {
        let exit = if matches!(error, StoreError::InUse { .. } | StoreError::NoBackup { .. }) {
            Exit::Refused
        } else {
            Exit::Fault
        };
        Failure::new(exit, error.text(tr))
    };
    let path = context.roots.database();
    let say = |id: &str, args: &FluentArgs<'_>| cli::print(&(tr.with(id, args) + "\n"));
    // Maintenance never creates a record.
    let existing = || -> Result<Open, Failure> {
        match path.metadata().map(|file| file.len()) {
            // Nor does it take a damaged one for a reason to begin another: that is no backup of what there was.
            Ok(1..) => open(Options { sets_aside: false, ..Options::default() }, context),
            found => Err(fault(StoreError::Missing { path: path.clone(), is_empty: found.is_ok() })),
        }
    };
    match args.verb.as_ref().unwrap_or(&Verb::Info { json: false }) {
        Verb::Info { json } => cli::print(&info(*json, context).map_err(fault)?)?,
        Verb::Check => {
            Reader::open_briefly(&path, Duration::from_secs(5)).and_then(|reader| reader.check()).map_err(fault)?;
            cli::print(&(tr.text("data-check-good") + "\n"))?;
        }
        Verb::Backup => {
            let file = existing()?.handle().backup().wait().map_err(fault)?;
            say("data-backup-made", &args!("path" => file.display().to_string()))?;
        }
        Verb::Restore { file, yes } => {
            let question = args!("path" => path.display().to_string());
            if !is_confirmed(*yes, "data-ask-restore", &question, context)? {
                return Ok(Exit::Refused);
            }
            let (from, replaced) = store::restore(&path, file.as_deref(), context.clock.now()).map_err(fault)?;
            say("data-restored", &args!("path" => from.display().to_string()))?;
            if let Some(replaced) = replaced {
                say("data-restored-replaced", &args!("path" => replaced.display().to_string()))?;
            }
        }
        Verb::Compact => {
            let store = existing()?;
            let before = path.metadata().map_or(0, |file| file.len());
            store.handle().compact().wait().map_err(fault)?;
            let after = path.metadata().map_or(0, |file| file.len());
            say(
                "data-compacted",
                &args!("bytes" => format::bytes(before.saturating_sub(after), tr), "size" => format::bytes(after, tr)),
            )?;
        }
        Verb::Rebuild => {
            let targets = existing()?.handle().rebuild().wait().map_err(fault)?;
            say("data-rebuilt", &args!("targets" => targets))?;
        }
        Verb::Prune { days, yes } => {
            if !is_confirmed(*yes, "data-ask-prune", &args!("days" => *days), context)? {
                return Ok(Exit::Refused);
            }
            let samples = existing()?.handle().prune(*days).wait().map_err(fault)?;
            say("data-pruned", &args!("samples" => samples))?;
        }
    }
    Ok(Exit::Done)
}

/// Opens the record for a verb that needs to write at once: trouble that a long run would wait out is a failure here.
///
/// # Errors
///
/// When it cannot be opened and written.
pub(super) fn open_store(context: &Context) -> Result<Open, Failure> {
    open(Options::default(), context)
}

fn open(options: Options, context: &Context) -> Result<Open, Failure> {
    let tr = &context.tr;
    let opened = Store::open(&context.roots.database(), options, context.clock.clone());
    let store = opened.map_err(|error| Failure::new(Exit::Fault, error.text(tr)))?;
    let health = store.handle().health();
    if let Some(trouble) = &health.borrow().trouble {
        return Err(Failure::new(Exit::Fault, trouble.text(tr)));
    }
    Ok(Open { store, _last: Last { health, tr: tr.clone() } })
}

/// An open record. When the verb is done with it, however it ends, a damaged file that was set aside is told.
pub(super) struct Open {
    store: Store,
    // Ends after the store.
    _last: Last,
}

impl Open {
    pub(super) fn handle(&self) -> StoreHandle {
        self.store.handle()
    }
}

struct Last {
    health: watch::Receiver<Health>,
    tr: Tr,
}

impl Drop for Last {
    fn drop(&mut self) {
        if let Some(recovery) = &self.health.borrow().recovery {
            cli::say(&recovery.text(&self.tr));
        }
    }
}

/// What is known of the file, as text.
fn info(as_json: bool, context: &Context) -> Result<String, StoreError> {
    let (tr, path) = (&context.tr, context.roots.database());
    let reader = Reader::open_briefly(&path, Duration::from_secs(5))?;
    let info = reader.info()?;
    let backups = store::list_backups(&path);
    let time = |at: Option<jiff::Timestamp>| at.map(|at| format!("{at:.3}"));
    if as_json {
        let backups: Vec<_> = backups.iter().map(|file| file.display().to_string()).collect();
        let object = json!({
            "path": path.display().to_string(),
            "format": info.format,
            "bytes": info.bytes,
            "free_bytes": info.free_bytes,
            "targets": info.targets,
            "samples": info.samples,
            "bucket_days": info.bucket_days,
            "first_at": time(info.first_at),
            "last_at": time(info.last_at),
            "backups": backups,
        });
        return Ok(format!("{object}\n"));
    }
    let none = || tr.text("data-info-none");
    let newest = backups.last().map(|file| {
        tr.with("cli-aside", &args!("text" => backups.len().to_string(), "aside" => file.display().to_string()))
    });
    let lines = [
        ("data-info-file", path.display().to_string()),
        ("data-info-size", format::bytes(info.bytes, tr)),
        ("data-info-free", format::bytes(info.free_bytes, tr)),
        ("data-info-targets", info.targets.to_string()),
        ("data-info-samples", info.samples.to_string()),
        ("data-info-buckets", info.bucket_days.to_string()),
        ("data-info-first", time(info.first_at).unwrap_or_else(none)),
        ("data-info-last", time(info.last_at).unwrap_or_else(none)),
        ("data-info-format", info.format.to_string()),
        ("data-info-backups", newest.unwrap_or_else(none)),
    ];
    Ok(lines.into_iter().map(|(id, value)| format!("{}  {value}\n", tr.text(id))).collect())
}

/// Whether the user agrees to what cannot be taken back.
fn is_confirmed(yes: bool, id: &str, question: &FluentArgs<'_>, context: &Context) -> Result<bool, Failure> {
    let tr = &context.tr;
    if yes {
        return Ok(true);
    }
    if !context.is_terminal || !io::stdin().is_terminal() {
        return Err(Failure::new(Exit::NeedsYes, tr.text("data-needs-yes")));
    }
    cli::print(&format!("{} {} ", tr.with(id, question), tr.text("data-ask-suffix")))?;
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    let agrees = read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes");
    if !agrees {
        cli::print(&(tr.text("data-declined") + "\n"))?;
    }
    Ok(agrees)
}
