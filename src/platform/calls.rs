//! How a second start reaches the program that already keeps the record: a socket beside the record (a named pipe on
//! Windows) that takes one word and answers with one line. Only processes of the same user are heard.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio_util::sync::CancellationToken;

use crate::settings::env::Env;

/// How long the other side may take for its line.
const PATIENCE: Duration = Duration::from_secs(2);
/// No line is longer.
const LONGEST: usize = 64;

/// What a second start asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Show your window.
    Show,
    /// Open your glance.
    Glance,
    /// Are you there?
    Hello,
}

impl Call {
    const fn word(self) -> &'static str {
        match self {
            Self::Show => "show",
            Self::Glance => "glance",
            Self::Hello => "hello",
        }
    }

    fn of(line: &str) -> Option<Self> {
        [Self::Show, Self::Glance, Self::Hello].into_iter().find(|call| call.word() == line)
    }
}

/// What keeps the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// A program with a window.
    Window,
    /// `vacancy watch`, or another verb without a window.
    Terminal,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What keeps the record.
    pub keeper: Keeper,
    /// Its process.
    pub pid: u32,
}

impl Reply {
    fn line(self) -> String {
        let keeper = match self.keeper {
            Keeper::Window => "window",
            Keeper::Terminal => "terminal",
        };
        format!("{keeper} {}\n", self.pid)
    }

    fn of(line: &str) -> Option<Self> {
        let (keeper, pid) = line.split_once(' ')?;
        let keeper = match keeper {
            "window" => Keeper::Window,
            "terminal" => Keeper::Terminal,
            _ => return None,
        };
        Some(Self { keeper, pid: pid.parse().ok()? })
    }
}

/// Where calls for a record are taken: beside it, or, where that name would be too long for a socket, in the user's runtime
/// folder under a name made of it.
pub fn place(data: &Path, env: &Env) -> PathBuf {
    /// macOS has room for 104 bytes, Linux for 108 (`sun_path`).
    const ROOM: usize = 100;
    let digest = Sha256::digest(data.as_os_str().as_encoded_bytes());
    let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    if cfg!(windows) {
        return PathBuf::from(format!(r"\\.\pipe\vacancy-{name}"));
    }
    let beside = data.join("vacancy.sock");
    if beside.as_os_str().len() <= ROOM {
        return beside;
    }
    let folder = env.get("XDG_RUNTIME_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    folder.join(format!("vacancy-{name}.sock"))
}

/// Takes calls, on the thread `vacancy-calls`, until it is dropped.
#[derive(Debug)]
pub struct Calls {
    stop: CancellationToken,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Calls {
    /// Begins to take calls. Only who holds the record's lock may: what lies there then is a left-over and is taken away.
    ///
    /// # Errors
    ///
    /// When the system refuses the socket or a thread.
    pub fn take(place: &Path, keeper: Keeper, heard: Arc<dyn Fn(Call) + Send + Sync>) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let door = {
            let _entered = runtime.enter();
            door::Door::open(place)?
        };
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let reply = Reply { keeper, pid: std::process::id() };
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = stopped.cancelled() => {}
                    () = door.serve(reply, &*heard) => {}
                }
            });
        };
        let thread = std::thread::Builder::new().name("vacancy-calls".into()).spawn(work)?;
        Ok(Self { stop, thread: Some(thread) })
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that takes calls failed");
        }
    }
}

/// Calls who keeps the record; `None` when nobody answers.
pub async fn call(place: &Path, call: Call) -> Option<Reply> {
    let talk = async {
        let mut stream = door::knock(place).await.ok()?;
        stream.write_all(format!("{}\n", call.word()).as_bytes()).await.ok()?;
        Reply::of(&line(&mut stream).await?)
    };
    tokio::time::timeout(PATIENCE, talk).await.ok().flatten()
}

async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, reply: Reply, heard: &(dyn Fn(Call) + Send + Sync)) {
    let talk = async {
        let call = Call::of(&line(&mut stream).await?)?;
        heard(call);
        stream.write_all(reply.line().as_bytes()).await.ok()
    };
    // Who is slow or says something else gets no answer.
    let _ = tokio::time::timeout(PATIENCE, talk).await;
}

/// One short line.
async fn line(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut line = Vec::new();
    loop {
        match stream.read_u8().await.ok()? {
            b'\n' => return String::from_utf8(line).ok(),
            byte if line.len() < LONGEST => line.push(byte),
            _ => return None,
        }
    }
}

#[cfg(unix)]
mod door {
    use std::io;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::{Path, PathBuf};

    use tokio::net::{UnixListener, UnixStream};

    use super::{Call, Reply, answer};

    pub(super) struct Door {
        listener: UnixListener,
        path: PathBuf,
    }

    impl Door {
        pub fn open(path: &Path) -> io::Result<Self> {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let listener = UnixListener::bind(path)?;
            let door = Self { listener, path: path.to_path_buf() };
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
            Ok(door)
        }

        pub async fn serve(self, reply: Reply, heard: &(dyn Fn(Call) + Send + Sync)) {
            loop {
                match self.listener.accept().await {
                    Ok((stream, _)) if is_own(&stream) => answer(stream, reply, heard).await,
                    Ok(_) => tracing::warn!("a call of another user was not heard"),
                    // Too many open files: the caller tries again.
                    Err(error) => {
                        tracing::warn!(%error, "a call was lost");
                        tokio::time::sleep(super::PATIENCE).await;
                    }
                }
            }
        }
    }

    impl Drop for Door {
        fn drop(&mut self) {
            // The record's lock is still held, so it is our own.
            let _ = std::fs::remove_file(&self.path);
        }
    }

    pub(super) async fn knock(path: &Path) -> io::Result<UnixStream> {
        let stream = UnixStream::connect(path).await?;
        if is_own(&stream) { Ok(stream) } else { Err(io::ErrorKind::PermissionDenied.into()) }
    }

    fn is_own(stream: &UnixStream) -> bool {
        stream.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw())
    }
}

/// Written from the documentation of tokio and of named pipes; it never ran on Windows. The default rights of a pipe let
/// other users read it at most, so that none of them can call.
#[cfg(windows)]
mod door {
    use std::io;
    use std::path::{Path, PathBuf};

    use tokio::net::windows::named_pipe::{ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions};

    use super::{Call, Reply, answer};

    pub(super) struct Door {
        next: NamedPipeServer,
        path: PathBuf,
    }

    impl Door {
        pub fn open(path: &Path) -> io::Result<Self> {
            let next = ServerOptions::new().first_pipe_instance(true).reject_remote_clients(true).create(path)?;
            Ok(Self { next, path: path.to_path_buf() })
        }

        pub async fn serve(mut self, reply: Reply, heard: &(dyn Fn(Call) + Send + Sync)) {
            loop {
                if let Err(error) = self.next.connect().await {
                    return tracing::warn!(%error, "no more calls are taken");
                }
                let next = match ServerOptions::new().reject_remote_clients(true).create(&self.path) {
                    Ok(next) => next,
                    Err(error) => return tracing::warn!(%error, "no more calls are taken"),
                };
                answer(std::mem::replace(&mut self.next, next), reply, heard).await;
            }
        }
    }

    pub(super) async fn knock(path: &Path) -> io::Result<NamedPipeClient> {
        ClientOptions::new().open(path)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::Mutex;

    use super::*;

    type Heard = Arc<Mutex<Vec<Call>>>;

    fn taking(place: &Path, keeper: Keeper) -> (Calls, Heard) {
        let heard = Heard::default();
        let told = Arc::clone(&heard);
        let calls =
            Calls::take(place, keeper, Arc::new(move |call| told.lock().expect("no test panics with it").push(call)));
        let calls = calls.expect("a socket in a temporary folder");
        (calls, heard)
    }

    #[tokio::test]
    async fn a_call_is_heard_and_answered_and_the_socket_is_taken_away_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("vacancy.sock");
        // What a killed program left behind.
        drop(std::os::unix::net::UnixListener::bind(&place).unwrap());
        assert_eq!(call(&place, Call::Show).await, None, "nobody is there");
        let (calls, heard) = taking(&place, Keeper::Window);
        assert_eq!(place.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let reply = Reply { keeper: Keeper::Window, pid: std::process::id() };
        assert_eq!(call(&place, Call::Show).await, Some(reply));
        assert_eq!(call(&place, Call::Hello).await, Some(reply));
        assert_eq!(*heard.lock().unwrap(), [Call::Show, Call::Hello]);
        drop(calls);
        assert!(!place.exists());
        let (_calls, _) = taking(&place, Keeper::Terminal);
        assert_eq!(call(&place, Call::Show).await.unwrap().keeper, Keeper::Terminal);
    }

    #[tokio::test]
    async fn what_is_long_or_unknown_is_not_answered_and_keeps_nobody_out() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("vacancy.sock");
        let (_calls, heard) = taking(&place, Keeper::Window);
        for said in [&b"shout\n"[..], &[b'a'; 4096], b"\xff\xfe\n", b""] {
            let mut stream = tokio::net::UnixStream::connect(&place).await.unwrap();
            // It may hang up in the middle of a long line.
            let _ = stream.write_all(said).await;
            let _ = stream.shutdown().await;
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer).await;
            assert!(answer.is_empty(), "{answer:?}");
        }
        assert!(heard.lock().unwrap().is_empty());
        assert!(call(&place, Call::Hello).await.is_some());
    }

    #[test]
    fn a_long_folder_has_its_socket_elsewhere() {
        let env: Env = [("XDG_RUNTIME_DIR", "/run/user/1")].into_iter().collect();
        assert_eq!(place(Path::new("/home/a/data"), &env), Path::new("/home/a/data/vacancy.sock"));
        let long = |end: &str| place(&Path::new("/home").join("x".repeat(120)).join(end), &env);
        assert!(long("a").starts_with("/run/user/1") && long("a").as_os_str().len() < 60, "{}", long("a").display());
        assert_ne!(long("a"), long("b"));
    }
}
