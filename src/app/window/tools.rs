//! Looks which subscriptions' tools are installed, what they cost, and what they tell for nothing, on a thread of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::mpsc;

use super::Told;
use crate::clock::Clock;
use crate::engine::request::Request;
use crate::settings::Settings;
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::toolprobe::Program;
use crate::toolprobe::config::ToolProbe;
use crate::toolprobe::cost::{Cost, cost_of_any_version};
use crate::toolprobe::find::find;
use crate::toolprobe::probe::Installed;
use crate::toolprobe::run::Stop;
use crate::ui::tools::Offer;
use crate::ui::window::Event;

/// What a look works with.
#[derive(Clone)]
pub(super) struct Means {
    pub roots: Roots,
    pub env: Env,
    pub clock: Arc<dyn Clock>,
    pub requests: mpsc::Sender<Request>,
    pub events: Told,
}

/// Looks at tools, one look at a time.
pub(super) struct Tools {
    means: Means,
    stop: Stop,
    /// What the installed versions cost, once they were asked.
    costs: Arc<Mutex<HashMap<Program, Cost>>>,
    running: Option<JoinHandle<()>>,
}

impl Tools {
    pub fn new(means: Means) -> Self {
        Self { means, stop: Stop::default(), costs: Arc::default(), running: None }
    }

    /// Looks, and tells the window twice: what is there, and then what its version costs.
    pub fn look(&mut self) {
        let found = self.list();
        if found.is_empty() || self.running.as_ref().is_some_and(|running| !running.is_finished()) {
            return;
        }
        let (means, stop, costs) = (self.means.clone(), self.stop.clone(), Arc::clone(&self.costs));
        let ask = move || ask(&means, found, &costs, &stop);
        self.running = std::thread::Builder::new()
            .name("vacancy-tools".into())
            .spawn(ask)
            .inspect_err(|error| tracing::error!(%error, "the tools are not looked at"))
            .ok();
    }

    /// Tells the window what is there and set, without running anything.
    pub fn list(&self) -> Vec<(Offer, ToolProbe)> {
        let settings = Settings::load(&self.means.roots.settings_file()).unwrap_or_default();
        let config = |program| settings.tool_probes.get(&program).cloned().unwrap_or_default();
        let mut found: Vec<(Offer, ToolProbe)> = Vec::new();
        for program in Program::ALL {
            let config = config(program);
            let path = config.program.clone().or_else(|| find(program, &self.means.env, &self.means.roots.home));
            let Some(path) = path else { continue };
            let known = self.costs.lock().unwrap_or_else(PoisonError::into_inner).get(&program).copied();
            let cost = known.unwrap_or_else(|| cost_of_any_version(program));
            found.push((offer(program, path.display().to_string(), cost, &config), config));
        }
        self.means.events.tell(Event::Tools(found.iter().map(|(offer, _)| offer.clone()).collect()));
        found
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        // What runs is ended with all that it started, and its folder goes.
        self.stop.stop();
        if let Some(running) = self.running.take()
            && running.join().is_err()
        {
            tracing::error!("the look at the tools failed");
        }
    }
}

fn offer(program: Program, path: String, cost: Cost, config: &ToolProbe) -> Offer {
    let pace = config.pace;
    Offer { program, path, cost, is_enabled: config.is_enabled, every: pace.every, daily: pace.daily }
}

/// Asks each tool for its help, which tells what a probe costs, and Codex for its plan's windows. No request to a model.
fn ask(means: &Means, found: Vec<(Offer, ToolProbe)>, costs: &Mutex<HashMap<Program, Cost>>, stop: &Stop) {
    let mut offers = Vec::new();
    for (mut offer, config) in found {
        match Installed::look(offer.program, &config, &means.env, &means.roots, &*means.clock, stop) {
            Ok(installed) => {
                offer.cost = installed.cost();
                costs.lock().unwrap_or_else(PoisonError::into_inner).insert(offer.program, offer.cost);
                if offer.program == Program::Codex {
                    match installed.ask_free(&*means.clock, stop) {
                        Ok(told) if !told.limits.is_empty() => {
                            // An engine that has ended needs them no more.
                            let _ = means.requests.blocking_send(Request::Limits(told.limits));
                        }
                        Ok(_) => {}
                        Err(error) => tracing::info!(%error, "codex does not tell its limits"),
                    }
                }
            }
            // A probe of it may be under way: the range of any version stands.
            Err(error) => tracing::info!(%error, "a tool does not tell what it can do"),
        }
        offers.push(offer);
    }
    means.events.tell(Event::Tools(offers));
}
