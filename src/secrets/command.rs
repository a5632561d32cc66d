//! Runs a key command: no shell, a deadline of its own, and standard output alone is read.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use tokio::time::Instant;

use crate::secrets::{Secret, SecretError};
use crate::settings::env::Env;

/// More than this is no key.
const OUTPUT_LIMIT: u64 = 16 * 1024;
/// How often a command that closed its output is asked whether it has ended.
const POLL: Duration = Duration::from_millis(5);

/// The trimmed standard output of a command. Blocks, at most until the deadline; then the command is killed.
pub(super) fn run(argv: &[String], env: &Env, deadline: Duration) -> Result<Secret, SecretError> {
    let Some((program, arguments)) = argv.split_first().filter(|(program, _)| !program.is_empty()) else {
        return Err(SecretError::CommandEmpty);
    };
    let failed_start = |error: std::io::Error| SecretError::CommandStart {
        program: program.clone(),
        // The kind's words, as the system's own may quote the whole command line.
        reason: error.kind().to_string(),
    };
    let end = Instant::now() + deadline;
    let mut child = Command::new(program)
        .args(arguments)
        .envs(env.iter())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        // What it complains of may hold secrets; a terminal shows it when the user runs the command there.
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed_start)?;

    let output = match child.stdout.take() {
        Some(output) => output,
        None => return Err(SecretError::CommandOutput { program: program.clone() }),
    };
    let (sender, receiver) = sync_channel(1);
    let reader = std::thread::Builder::new().name("vacancy-key-command".to_owned()).spawn(move || {
        let mut bytes = Vec::new();
        let read = output.take(OUTPUT_LIMIT + 1).read_to_end(&mut bytes);
        // Nobody listens any more after the deadline.
        let _ = sender.send(read.map(|_| bytes));
    });
    if let Err(error) = reader {
        stop(&mut child);
        return Err(failed_start(error));
    }
    let timeout = || SecretError::CommandTimeout { program: program.clone(), seconds: deadline.as_secs() };
    let unusable = || SecretError::CommandOutput { program: program.clone() };

    let bytes = match receiver.recv_timeout(deadline) {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
            stop(&mut child);
            return Err(unusable());
        }
        Err(RecvTimeoutError::Timeout) => {
            stop(&mut child);
            return Err(timeout());
        }
    };
    if bytes.len() as u64 > OUTPUT_LIMIT {
        stop(&mut child);
        return Err(unusable());
    }
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(POLL),
            Ok(None) => {
                stop(&mut child);
                return Err(timeout());
            }
            Err(error) => {
                stop(&mut child);
                return Err(failed_start(error));
            }
        }
    };
    if !status.success() {
        return Err(SecretError::CommandFailed { program: program.clone(), status: status.to_string() });
    }
    let text = String::from_utf8(bytes).map_err(|_| unusable())?;
    let secret = Secret::new(&text);
    if secret.is_empty() || secret.expose().contains(['\n', '\r']) { Err(unusable()) } else { Ok(secret) }
}

/// Kills and reaps; a child that has ended already is no trouble.
fn stop(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
