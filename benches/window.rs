//! The real window: how long until it shows something, what it costs while nothing changes, and how much memory it takes beside
//! a window of the same kind with nothing in it.
//!
//! `cargo bench --bench window [-- DATA_DIR]` under a display (`xvfb-run -a` will do); Linux only, as it reads `/proc`. With
//! a data folder (settings and record, see `benches/store.rs`) it measures that one, and otherwise an empty one.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed run")]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use tokio::time::Instant;

/// Starts measured; the median is told.
const STARTS: usize = 9;
/// What an idle window is watched for.
const IDLE: Duration = Duration::from_secs(20);

/// The size that the window begins with: the pictures of larger ones take more memory.
const SIZE: [f32; 2] = [1280.0, 800.0];

struct Window {
    process: Child,
    frames: Receiver<()>,
    began: Instant,
}

impl Window {
    fn start(data: &str) -> Self {
        let began = Instant::now();
        let mut process = Command::new(env!("CARGO_BIN_EXE_vacancy"))
            .args(["--data", data])
            .env("VACANCY_LOG", "vacancy::ui::shell=debug")
            .env("NO_COLOR", "1")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let (told, frames) = sync_channel(10_000);
        std::thread::Builder::new()
            .name("frames".into())
            .spawn(move || {
                for line in lines.map_while(Result::ok) {
                    if line.contains("frame=") {
                        told.send(()).unwrap();
                    } else {
                        eprintln!("{line}");
                    }
                }
            })
            .unwrap();
        Self { process, frames, began }
    }

    fn wait_for_frame(&self) -> Duration {
        self.frames.recv_timeout(Duration::from_secs(60)).unwrap();
        self.began.elapsed()
    }

    fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// A window with nothing in it.
struct Bare;

impl eframe::App for Bare {
    fn ui(&mut self, _: &mut egui::Ui, _: &mut eframe::Frame) {}
}

/// What a window with nothing in it takes, in KiB: this program, started again as one.
fn bare_kib() -> u64 {
    let mut process = Command::new(std::env::current_exe().unwrap()).arg("--bare").spawn().unwrap();
    std::thread::sleep(Duration::from_secs(4));
    let kib = resident_kib(process.id());
    process.kill().unwrap();
    process.wait().unwrap();
    kib
}

fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn main() {
    if std::env::args().any(|argument| argument == "--bare") {
        let viewport = egui::ViewportBuilder::default().with_inner_size(SIZE);
        let options = eframe::NativeOptions { viewport, ..Default::default() };
        eframe::run_native("bare", options, Box::new(|_| Ok(Box::new(Bare)))).unwrap();
        return;
    }
    let empty = tempfile::tempdir().unwrap();
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let data = named.unwrap_or_else(|| empty.path().display().to_string());
    let mut times: Vec<(Duration, Duration)> = Vec::new();
    for _ in 0..STARTS {
        let window = Window::start(&data);
        times.push((window.wait_for_frame(), window.wait_for_frame()));
    }
    times.sort();
    let (first, second) = times[STARTS / 2];
    println!(
        "process start to first frame: {} ms, to the second: {} ms (median of {STARTS})",
        first.as_millis(),
        second.as_millis()
    );

    let window = Window::start(&data);
    while window.frames.recv_timeout(Duration::from_secs(5)).is_ok() {}
    let ticks = window.ticks();
    let mut frames = 0;
    let until = Instant::now() + IDLE;
    while window.frames.recv_timeout(until.duration_since(Instant::now())).is_ok() {
        frames += 1;
    }
    println!("idle for {} s: {frames} frames, {} CPU ticks", IDLE.as_secs(), window.ticks() - ticks);
    let (own, bare) = (resident_kib(window.process.id()), bare_kib());
    println!("resident memory: {} MiB, of which a window with nothing in it takes {}", own / 1024, bare / 1024);
}
