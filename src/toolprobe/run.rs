//! Runs a program to its end or to a deadline: no shell, no input, bounded output, and nothing of it left behind.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// What is run.
#[derive(Debug)]
pub struct Task<'a> {
    /// The program, by its full path.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// All of its variables; none is inherited.
    pub variables: Vec<(String, String)>,
    /// Its working folder.
    pub folder: &'a Path,
    /// Written to its standard input at once; `None` gives it an empty one.
    pub input: Option<Input>,
    /// How long it may take.
    pub deadline: Duration,
    /// More bytes than this on standard output or standard error end it.
    pub output_limit: usize,
}

/// What a program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// All of it: then its input is at its end. At most a few ten thousand bytes, what a pipe holds.
    Whole(Vec<u8>),
    /// The beginning of a talk: its input is kept open.
    Open(Vec<u8>),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Exited(ExitStatus),
    /// It was killed, as what it printed was enough.
    Enough,
    /// It was killed at the deadline.
    Deadline,
    /// It was killed, as it printed more than [`Task::output_limit`].
    TooMuch,
    /// It was killed, as nobody wants the result any more.
    Stopped,
}

/// What came of a run.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// What it printed, cut at [`Task::output_limit`].
    pub stdout: Vec<u8>,
    /// What it complained of, cut at [`Task::output_limit`].
    pub stderr: Vec<u8>,
    /// Until it ended, or until it had said enough.
    pub elapsed: Duration,
}

/// What a watcher of the output wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// More output.
    More,
    /// No more: the program may still end by itself for so long, then it is killed.
    Enough(Duration),
}

/// Ends runs from elsewhere: the one under way, and all that would begin later with the same one.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Mutex<Stopping>>);

#[derive(Debug, Default)]
struct Stopping {
    is_stopped: bool,
    running: Option<SyncSender<News>>,
}

impl Stop {
    /// Ends the run.
    pub fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        if let Some(running) = &state.running {
            // A full queue is read at once, and then the state is looked at.
            let _ = running.try_send(News::Stop);
        }
    }

    fn is_stopped(&self) -> bool {
        self.lock().is_stopped
    }

    fn set_running(&self, running: Option<SyncSender<News>>) {
        self.lock().running = running;
    }

    fn lock(&self) -> MutexGuard<'_, Stopping> {
        // Each write leaves it whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

#[derive(Debug)]
enum News {
    Bytes(Stream, Vec<u8>),
    /// One of the two streams is at its end.
    Closed,
    Exited,
    Stop,
}

/// News that may wait; a program that prints faster waits for us.
const QUEUE: usize = 16;

/// How long pipes are read after the end of the group: a process that left it may keep one open for ever.
const LAST_WORDS: Duration = Duration::from_millis(1_500);

/// Runs a task. Blocks, at most until its deadline. `watch` sees what was printed so far, after each piece of it.
///
/// # Errors
///
/// When the program cannot be started; what it does then is never an error of ours.
pub fn run(task: Task<'_>, stop: &Stop, mut watch: impl FnMut(&Ran) -> Wish) -> std::io::Result<Ran> {
    let began = Instant::now();
    let mut command = Command::new(task.program);
    command
        .args(&task.arguments)
        .env_clear()
        .envs(task.variables.iter().map(|(name, value)| (OsStr::new(name), OsStr::new(value))))
        .current_dir(task.folder)
        .stdin(if task.input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    group::begin(&mut command);
    let (sender, receiver) = sync_channel(QUEUE);
    stop.set_running(Some(sender.clone()));
    let mut group = Group { child: command.spawn()?, is_over: false };

    let mut input = group.child.stdin.take();
    if let (Some(pipe), Some(Input::Whole(bytes) | Input::Open(bytes))) = (&mut input, &task.input) {
        // They fit into the pipe. A program that is gone already says so by its end.
        let _ = std::io::Write::write_all(pipe, bytes);
    }
    if matches!(task.input, Some(Input::Whole(_))) {
        input = None;
    }
    if let Some(stdout) = group.child.stdout.take() {
        pump("vacancy-tool-out", Stream::Out, stdout, sender.clone())?;
    }
    if let Some(stderr) = group.child.stderr.take() {
        pump("vacancy-tool-err", Stream::Err, stderr, sender.clone())?;
    }
    group::watch(&group.child, sender)?;

    let mut ran = Ran { end: End::Deadline, stdout: Vec::new(), stderr: Vec::new(), elapsed: Duration::ZERO };
    let mut until = began + task.deadline;
    let mut enough_after = None;
    let mut open = 2;
    ran.end = loop {
        if stop.is_stopped() {
            break End::Stopped;
        }
        match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(News::Bytes(stream, bytes)) => {
                if !keep(&mut ran, stream, &bytes, task.output_limit) {
                    break End::TooMuch;
                }
                if enough_after.is_none()
                    && let Wish::Enough(grace) = watch(&ran)
                {
                    enough_after = Some(began.elapsed());
                    until = until.min(Instant::now() + grace);
                }
            }
            Ok(News::Closed) => {
                open -= 1;
                if open == 0 && !group::IS_WATCHED {
                    break End::Enough;
                }
            }
            // What was printed before the end is in the queue or still in the pipe: it is drained below.
            Ok(News::Exited) => break End::Enough,
            Ok(News::Stop) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) if enough_after.is_some() => {
                break End::Enough;
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break End::Deadline,
        }
    };
    ran.elapsed = enough_after.unwrap_or_else(|| began.elapsed());
    drop(input);
    // The whole group first, so that nobody holds the pipes open; only then the leader is reaped and its number free.
    let status = group.end();
    stop.set_running(None);
    drain(&receiver, open, &mut ran, task.output_limit);
    if ran.end == End::Enough && enough_after.is_none() {
        ran.end = End::Exited(status?);
    }
    Ok(ran)
}

/// Reads what the pipes still hold, until both are closed: nobody writes to them any more.
fn drain(receiver: &Receiver<News>, mut open: u8, ran: &mut Ran, limit: usize) {
    let until = Instant::now() + LAST_WORDS;
    while open > 0
        && let Ok(news) = receiver.recv_timeout(until.saturating_duration_since(Instant::now()))
    {
        match news {
            News::Bytes(stream, bytes) => {
                keep(ran, stream, &bytes, limit);
            }
            News::Closed => open -= 1,
            News::Exited | News::Stop => {}
        }
    }
}

/// Adds bytes as far as there is room; whether all of them were kept.
fn keep(ran: &mut Ran, stream: Stream, bytes: &[u8], limit: usize) -> bool {
    let kept = if stream == Stream::Out { &mut ran.stdout } else { &mut ran.stderr };
    let room = limit.saturating_sub(kept.len());
    kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    bytes.len() <= room
}

fn pump(
    name: &str,
    stream: Stream,
    mut pipe: impl Read + Send + 'static,
    sender: SyncSender<News>,
) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        let mut buffer = [0; 8 * 1024];
        loop {
            match pipe.read(&mut buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => {
                    // Nobody listens any more after the deadline.
                    let _ = sender.send(News::Closed);
                    return;
                }
                Ok(count) => {
                    if sender.send(News::Bytes(stream, buffer[..count].to_vec())).is_err() {
                        return;
                    }
                }
            }
        }
    })?;
    Ok(())
}

/// A program with everything that it started: ended when dropped.
struct Group {
    child: Child,
    is_over: bool,
}

impl Group {
    /// Kills what is left of the group and reaps the leader.
    fn end(&mut self) -> std::io::Result<ExitStatus> {
        if !std::mem::replace(&mut self.is_over, true) {
            group::kill(&mut self.child);
        }
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // It may have failed already, and then there is nobody to tell.
        let _ = self.end();
    }
}

#[cfg(unix)]
mod group {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command};
    use std::sync::mpsc::SyncSender;

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    use super::News;

    /// Whether [`watch`] tells of the end.
    pub(super) const IS_WATCHED: bool = true;

    /// The program leads a group of its own, which its children inherit.
    pub(super) fn begin(command: &mut Command) {
        command.process_group(0);
    }

    /// Tells of the leader's end and leaves it unreaped, so that its number stays its own until the group is killed.
    pub(super) fn watch(child: &Child, sender: SyncSender<News>) -> std::io::Result<()> {
        let Some(pid) = pid(child) else { return Ok(()) };
        std::thread::Builder::new().name("vacancy-tool-end".to_owned()).spawn(move || {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), options), Err(rustix::io::Errno::INTR)) {}
            // Nobody listens any more after the deadline.
            let _ = sender.send(News::Exited);
        })?;
        Ok(())
    }

    pub(super) fn kill(child: &mut Child) {
        if let Some(pid) = pid(child) {
            // A group that is gone already is what is wanted.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    fn pid(child: &Child) -> Option<Pid> {
        i32::try_from(child.id()).ok().and_then(Pid::from_raw)
    }
}

#[cfg(not(unix))]
mod group {
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc::SyncSender;

    use super::News;

    /// Without a way to wait for a program and leave it be, the end of its output stands for its own.
    pub(super) const IS_WATCHED: bool = false;

    pub(super) fn begin(_: &mut Command) {}

    pub(super) fn watch(_: &Child, _: SyncSender<News>) -> std::io::Result<()> {
        Ok(())
    }

    pub(super) fn kill(child: &mut Child) {
        // The system's own tool ends a program with all that it started.
        let _ = Command::new("taskkill")
            .args(["/T", "/F", "/PID", &child.id().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = child.kill();
    }
}
