//! `vacancy explain`: what an error means, for people and for scripts.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::app;
use crate::args;
use crate::cli::bounded::{self, LONGEST, next_line};
use crate::cli::{self, Context, Exit, Failure};
use crate::core::classify::line::{self, Line};
use crate::core::classify::{Origin, RuleSet, classify};
use crate::core::outcome::Outcome;
use crate::core::target::Dialect;
use crate::explain::{judge, words};

/// Arguments of `vacancy explain`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The error may be a message, a JSON body, a `curl -i` dump, or the line that a coding tool printed. Nothing \
is sent anywhere.\n\nExamples:\n  vacancy explain 'Selected model is at capacity. Please try a different model.'\n  \
curl -i \"$URL\" | vacancy explain\n  vacancy explain --file error.txt --lang zh-Hans"
)]
pub struct Args {
    /// The error, as it was printed
    #[arg(value_name = "TEXT", trailing_var_arg = true, allow_hyphen_values = true, conflicts_with_all = ["file", "jsonl", "rules"])]
    text: Vec<String>,
    /// Read the error, or with --jsonl the exchanges, from this file
    #[arg(long, value_name = "PATH", conflicts_with = "rules")]
    file: Option<PathBuf>,
    /// The wire API that was spoken: openai-chat, openai-responses, anthropic-messages, gemini or ollama-chat
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// The provider's id, for the rules that name one
    #[arg(long, value_name = "ID")]
    provider: Option<String>,
    /// Read one exchange a line as JSON and write one verdict a line
    #[arg(long, conflicts_with = "rules")]
    jsonl: bool,
    /// List the rules: stage, id, kind, scope and evidence
    #[arg(long)]
    rules: bool,
}

/// A pasted error is read up to this many bytes.
const PASTE_LIMIT: u64 = 1 << 20;

/// Runs the verb.
///
/// # Errors
///
/// When there is nothing to read, or it cannot be read.
pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let rules = rules(context);
    let mut out = io::stdout().lock();
    if args.rules {
        return written(out.write_all(words::rule_table(&context.tr, &rules).as_bytes()));
    }
    if let Some(name) = args.dialect.as_deref().filter(|name| Dialect::from_name(name) == Dialect::Generic) {
        let known = Dialect::PROBED.map(Dialect::name).join(", ");
        let told = context.tr.with("explain-unknown-dialect", &args!("name" => name, "known" => known));
        cli::say(&format!("vacancy: {told}"));
    }
    if args.jsonl {
        return match &args.file {
            Some(path) => lines(BufReader::new(open(path, context)?), out, args, context, &rules),
            None => lines(io::stdin().lock(), out, args, context, &rules),
        };
    }
    let text = input(args, context)?;
    let origin = Origin {
        dialect: Dialect::from_name(args.dialect.as_deref().unwrap_or_default()),
        provider: args.provider.as_deref(),
    };
    let outcome = judge(origin, &text, context.clock.now(), &rules);
    written(out.write_all(words::explain(&context.tr, &rules, &outcome).as_bytes()))
}

/// The rules, with the user's own if there are settings. Faulty settings are told of, but an error can be explained without.
fn rules(context: &Context) -> RuleSet {
    if !context.roots.settings_file().exists() {
        return RuleSet::builtin();
    }
    let own = app::settings(context).and_then(|settings| {
        RuleSet::with_user(settings.rules).map_err(|error| Failure::new(Exit::Usage, error.to_string()))
    });
    own.unwrap_or_else(|failure| {
        cli::say(&format!("vacancy: {}", failure.message));
        RuleSet::builtin()
    })
}

/// The error to explain.
fn input(args: &Args, context: &Context) -> Result<String, Failure> {
    let nothing = || Failure::new(Exit::Usage, context.tr.text("explain-no-input"));
    let mut bytes = Vec::new();
    if !args.text.is_empty() {
        return Some(args.text.join(" ")).filter(|text| !text.trim().is_empty()).ok_or_else(nothing);
    }
    let read = match &args.file {
        Some(path) => open(path, context)?
            .take(PASTE_LIMIT)
            .read_to_end(&mut bytes)
            .map_err(|error| cannot_read(path, &error, context)),
        None if io::stdin().is_terminal() => Ok(0),
        None => io::stdin()
            .lock()
            .take(PASTE_LIMIT)
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::new(Exit::Usage, error.to_string())),
    };
    read?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if text.trim().is_empty() { Err(nothing()) } else { Ok(text) }
}

fn open(path: &Path, context: &Context) -> Result<File, Failure> {
    File::open(path).map_err(|error| cannot_read(path, &error, context))
}

fn cannot_read(path: &Path, error: &io::Error, context: &Context) -> Failure {
    let args = args!("path" => path.display().to_string(), "reason" => error.to_string());
    Failure::new(Exit::Usage, context.tr.with("explain-no-file", &args))
}

/// A reader that went away has read enough.
fn written(result: io::Result<()>) -> Result<Exit, Failure> {
    cli::written(result).map(|()| Exit::Done)
}

/// Answers line by line, so that a script can converse; a bad line is answered too.
fn lines(
    mut input: impl BufRead,
    out: impl Write,
    args: &Args,
    context: &Context,
    rules: &RuleSet,
) -> Result<Exit, Failure> {
    let mut out = io::LineWriter::new(out);
    let mut text = Vec::new();
    loop {
        let is_whole = match next_line(&mut input, &mut text, LONGEST) {
            Ok(bounded::Line::End) => return written(out.flush()),
            Ok(found) => found == bounded::Line::Whole,
            Err(error) => return Err(Failure::new(Exit::Usage, error.to_string())),
        };
        let bytes = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text).trim_ascii();
        if is_whole && bytes.is_empty() {
            continue;
        }
        let answer = match line::parse(bytes) {
            _ if !is_whole => json!({ "id": null, "error": "a line of more than 16 MiB" }),
            Ok(line) => verdict(line, args, context, rules),
            Err(error) => json!({ "id": null, "error": error.to_string() }),
        };
        if let Err(error) = writeln!(out, "{answer}") {
            return written(Err(error));
        }
    }
}

fn verdict(mut line: Line, args: &Args, context: &Context, rules: &RuleSet) -> Value {
    let exchange = &mut line.exchange;
    if exchange.received_at.is_none() && exchange.header("date").is_none() {
        exchange.received_at = Some(context.clock.now());
    }
    let dialect = match (line.dialect, &args.dialect) {
        (Dialect::Generic, Some(name)) => Dialect::from_name(name),
        (dialect, _) => dialect,
    };
    let origin = Origin { dialect, provider: line.provider.as_deref().or(args.provider.as_deref()) };
    let outcome = classify(origin, &line.exchange, rules);
    json!({
        "id": line.id,
        "kind": outcome.kind.name(),
        "scope": outcome.scope.name(),
        "retry_after_s": seconds(&outcome),
        "wait_helps": outcome.wait_helps,
        "switch_helps": outcome.switch_helps,
        "rule": outcome.rule,
    })
}

/// The hint in seconds, to the millisecond; whole numbers without a point.
fn seconds(outcome: &Outcome) -> Value {
    match outcome.retry_after {
        None => Value::Null,
        Some(wait) if wait.subsec_millis() == 0 => json!(wait.as_secs()),
        Some(wait) => json!(wait.as_millis() as f64 / 1000.0),
    }
}
