//! A virtual display with a window manager, and what a person sees and does there.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::{Running, until};

/// A display of its own.
pub struct Desk {
    pub display: String,
    _manager: Running,
    _server: Running,
}

impl Desk {
    /// `None` where Xvfb, openbox, xdotool or wmctrl is missing.
    pub fn start() -> Option<Self> {
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"]);
        let mut server = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::null()))?;
        let mut number = String::new();
        BufReader::new(server.0.stdout.take()?).read_line(&mut number).ok()?;
        let display = format!(":{}", number.trim());
        let mut command = Command::new("openbox");
        let manager = Running::start(command.env("DISPLAY", &display).stderr(Stdio::null()))?;
        for program in ["xdotool", "wmctrl"] {
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        }
        let desk = Self { display, _manager: manager, _server: server };
        until("a window manager", || {
            desk.said("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"]).filter(|said| said.contains("0x"))
        });
        Some(desk)
    }

    fn said(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let ran = Command::new(program).args(arguments).env("DISPLAY", &self.display).output().ok()?;
        ran.status.success().then(|| String::from_utf8_lossy(&ran.stdout).into_owned())
    }

    fn windows(&self, more: &[&str]) -> Vec<String> {
        let arguments: Vec<&str> =
            ["search"].into_iter().chain(more.iter().copied()).chain(["--name", "^Vacancy$"]).collect();
        self.said("xdotool", &arguments).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// It can be seen.
    pub fn is_shown(&self) -> bool {
        !self.windows(&["--onlyvisible"]).is_empty()
    }

    /// It has the focus.
    pub fn has_focus(&self) -> bool {
        let focused = self.said("xdotool", &["getactivewindow"]).unwrap_or_default();
        self.is_shown() && self.windows(&[]).contains(&focused.trim().to_owned())
    }

    /// It stands in the list of windows and is not seen.
    pub fn is_minimised(&self) -> bool {
        let state = |window: &String| self.said("xprop", &["-id", window, "WM_STATE"]).unwrap_or_default();
        self.windows(&[]).iter().any(|window| state(window).contains("Iconic"))
    }

    /// It is nowhere.
    pub fn is_hidden(&self) -> bool {
        !self.is_shown() && !self.is_minimised()
    }

    /// By its button.
    pub fn close_window(&self) {
        let window = self.windows(&["--onlyvisible"]).into_iter().next().unwrap();
        // As the button of a window manager does (EWMH, `_NET_CLOSE_WINDOW`); xdotool's own way would destroy it.
        assert!(self.said("wmctrl", &["-i", "-c", &window]).is_some(), "wmctrl");
    }

    pub fn press(&self, keys: &str) {
        assert!(self.said("xdotool", &["key", keys]).is_some());
    }
}
