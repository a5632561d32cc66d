//! Commands of the window that are more than a line.

use super::{Job, Window};
use crate::core::target::TargetId;
use crate::engine::request::Request;
use crate::ui::screens::welcome;
use crate::ui::state::{Overlay, Screen};
use crate::ui::switching;
use crate::ui::tools::{self, Asking};

impl Window {
    /// Probes a target. A plan's tool that is not asked of itself is asked after its cost was shown.
    pub(super) fn probe(&mut self, target: TargetId) -> Option<Job> {
        let program = self.snapshot.board.entry(&target).and_then(tools::program_of);
        match program.filter(|program| !self.snapshot.status.asked_tools.contains(program)) {
            None => self.ask(target),
            Some(program) => {
                self.state.overlay = Some(Overlay::Tools { asking: Some(Asking::Once(program, target)) });
                Some(Job::LookAtTools)
            }
        }
    }

    /// Has a target asked, unless it is a plan's that the user is working with.
    pub(super) fn ask(&mut self, target: TargetId) -> Option<Job> {
        let program = self.snapshot.board.entry(&target).and_then(tools::program_of);
        let refusal = program.and_then(|program| tools::refusal(program, &self.snapshot, self.snapshot.at, &self.tr));
        if let Some(words) = refusal {
            self.say(words);
            return None;
        }
        Some(Job::Engine(Request::ProbeNow(vec![target])))
    }

    pub(super) fn ticked(&self) -> Vec<TargetId> {
        let proposals = self.findings.found.iter().flat_map(|found| &found.proposals);
        proposals
            .filter(|proposal| welcome::model::is_ticked(proposal, &self.toggled))
            .map(|proposal| proposal.target.clone())
            .collect()
    }

    /// Closes the topmost of what is open.
    pub(super) fn back(&mut self) {
        if self.state.overlay.is_none() && self.switching().is_open() {
            self.act_on_tools(switching::Act::Cancel);
            return;
        }
        let state = &mut self.state;
        // What waits for an answer does so on every screen.
        let has_open = state.screen == Screen::Settings || self.settings.held.conflict.is_some();
        let is_closed = state.overlay.take().is_some() || (has_open && self.settings.held.steps_back());
        if is_closed {
        } else if state.screen == Screen::Activity && state.is_filtered() {
            state.clear_filter();
        } else if state.screen == Screen::Board && state.is_explained {
            state.is_explained = false;
        } else if state.screen == Screen::Board {
            state.selected = None;
            state.is_detail_closed = true;
        } else {
            state.screen = Screen::Board;
        }
    }
}
