//! 1,000 targets due at once against the loopback provider in a process of its own, through the real prober: how much
//! CPU and memory does probing cost? Then 100 targets with the limits that the program has.
//!
//! `cargo bench --bench probes`; Linux only, as it reads `/proc`.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed run")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::Instant;
use vacancy::clock::SystemClock;
use vacancy::core::classify::{RuleSet, classify};
use vacancy::core::target::{Dialect, ModelId, ProviderId};
use vacancy::probe::gate::Gate;
use vacancy::probe::http::HttpProber;
use vacancy::probe::{Job, Prober, Route};
use vacancy::secrets::{KeyRef, Secret, SecretError, Secrets};
use vacancy::wire::endpoint::Endpoint;

/// The loopback provider needs no key.
struct NoSecrets;

impl Secrets for NoSecrets {
    fn read<'a>(&'a self, _key: &'a KeyRef) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        Box::pin(async { Ok(None) })
    }
}

/// `vacancy demo --serve` in a process of its own, ended with this value.
struct Server {
    process: Child,
    bases: BTreeMap<String, String>,
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_vacancy"))
            .args(["demo", "--serve", "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut bases = BTreeMap::new();
        for line in lines {
            let line = line.unwrap();
            if let Some((name, base)) = line.trim().split_once(' ') {
                bases.insert(name.to_owned(), base.trim().to_owned());
            }
            if bases.contains_key("refused") {
                break;
            }
        }
        Self { process, bases }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// CPU of this process so far, from `utime` and `stime` in ticks of 10 ms.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let ticks: u64 = after_name.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// A line of `/proc/self/status` in MB.
fn memory(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}

async fn round(name: &str, count: usize, prober: Arc<dyn Prober>, server: &Server) {
    let endpoints: Vec<Arc<Endpoint>> = Dialect::PROBED
        .iter()
        .map(|dialect| Arc::new(Endpoint::new(server.bases[dialect.name()].parse().unwrap(), *dialect)))
        .collect();
    let job = |index: usize| Job {
        provider: ProviderId::from(format!("provider-{index}")),
        endpoint: Arc::clone(&endpoints[index % endpoints.len()]),
        model: ModelId::from("ok"),
        key: KeyRef::None,
        route: Route::default(),
        is_local: true,
        deadlines: None,
    };
    let rules = RuleSet::builtin();
    // The first probe reads trust roots and makes the client; that happens once in the life of the program.
    prober.probe(&job(0)).await.unwrap();
    let (cpu_before, memory_before, begun) = (cpu(), memory("VmRSS"), Instant::now());
    let mut probes = tokio::task::JoinSet::new();
    for index in 0..count {
        let (prober, job) = (Arc::clone(&prober), job(index));
        probes.spawn(async move {
            let probed = prober.probe(&job).await.unwrap();
            (job.endpoint.dialect, probed.exchange)
        });
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut header_ms = Vec::new();
    while let Some(probe) = probes.join_next().await {
        let (dialect, exchange) = probe.unwrap();
        header_ms.extend(exchange.timing.headers_ms);
        *kinds.entry(classify(dialect, &exchange, &rules).kind.name()).or_default() += 1;
    }
    header_ms.sort_unstable();
    println!(
        "{name}: {count} probes, {kinds:?}; {:.2} s wall, {:.2} s CPU, {:+.1} MB RSS (peak {:.1} MB); headers after {} ms \
         (median), {} ms (last)",
        begun.elapsed().as_secs_f64(),
        (cpu() - cpu_before).as_secs_f64(),
        memory("VmRSS") - memory_before,
        memory("VmHWM"),
        header_ms.get(header_ms.len() / 2).copied().unwrap_or_default(),
        header_ms.last().copied().unwrap_or_default(),
    );
}

fn main() {
    let server = Server::start();
    // As the engine: one thread.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let prober =
            |gate| -> Arc<dyn Prober> { Arc::new(HttpProber::new(Arc::new(NoSecrets), Arc::new(SystemClock), gate)) };
        round("real limits", 100, prober(Gate::default()), &server).await;
        let raised = prober(Gate::new(1_000, 1_000));
        for _ in 0..3 {
            round("limits raised", 1_000, Arc::clone(&raised), &server).await;
        }
    });
}
