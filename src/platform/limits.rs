//! Limits that the system sets to a process.

/// From now on a file that may not grow any more (`ulimit -f`) is an error of the write, as a full disk is, and no end of the
/// program. Where that cannot be arranged the system's own way stays.
pub fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        use rustix::process::Signal;
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        // Its handler stays for the life of the process; nobody has to hear it.
        let heard = runtime.block_on(async { signal(SignalKind::from_raw(Signal::XFSZ.as_raw())) });
        if let Err(error) = heard {
            tracing::debug!(%error, "a limit on the size of files ends the program");
        }
    }
}
