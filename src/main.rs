//! The `vacancy` program: hands its arguments to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(vacancy::cli::run(std::env::args_os()))
}
