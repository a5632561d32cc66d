//! Projects whose own files name a model: found below the folders that the user named, planned like any other switch.

use crate::args;
use crate::core::target::TargetId;
use crate::settings::Settings;
use crate::switch::path::ToolPath;
use crate::switch::plan::{Action, Plan};
use crate::switch::projects::{Grounds, Pin, pins, plan_pin, unfit};
use crate::switch::reach::{Goal, Reached, Unreachable, reach};
use crate::switch::tool::{At, Home, Tool};
use crate::switch::tools;
use crate::switch::world::Files as _;
use crate::ui::switching::{Offer, Seat, SeenFolder, SeenPin};

use super::{Planned, Worker, offer, part};

impl Worker {
    /// Looks through the folders that the user named, for every tool that is in use.
    pub(super) fn look_through(&self, settings: &Settings) -> Vec<SeenFolder> {
        let homes: Vec<(&'static dyn Tool, Home)> = if settings.projects.is_empty() {
            Vec::new()
        } else {
            tools::ALL
                .iter()
                .flat_map(|tool| self.machine.present(*tool).into_iter().map(|home| (*tool, home)))
                .collect()
        };
        let folder = |kept: &String| {
            let path = self.folder(kept);
            let is_there = self.machine.files.is_folder(&path);
            let mut found: Vec<SeenPin> = Vec::new();
            // Once for all tools.
            let grounds = if is_there { Grounds::below(&self.machine.files, &path) } else { Grounds::default() };
            for (tool, home) in homes.iter().filter(|_| is_there) {
                let seat = || Seat { tool: tool.id(), home: home.path.clone() };
                let pins = pins(*tool, &self.machine.world(*tool), home, &grounds.folders).into_iter();
                // A tool with several homes reads its projects in all of them.
                let is_new = |pin: &Pin| {
                    !found.iter().any(|known| {
                        known.seat.tool == tool.id() && known.pin.file == pin.file && known.pin.key == pin.key
                    })
                };
                let new: Vec<SeenPin> = pins.filter(is_new).map(|pin| SeenPin { seat: seat(), pin }).collect();
                found.extend(new);
            }
            found.sort_by(|a, b| a.pin.file.cmp(&b.pin.file));
            SeenFolder { kept: kept.clone(), path, is_there, nameless: grounds.nameless, pins: found }
        };
        settings.projects.iter().map(folder).collect()
    }

    /// A folder as somebody wrote it, from the root; `~` is the home in which tools' files are looked for.
    fn folder(&self, kept: &str) -> ToolPath {
        let kept = kept.trim();
        let home = self.machine.files.home();
        match kept.strip_prefix("~/").or((kept == "~").then_some("")) {
            Some("") => home,
            Some(below) => home.join(below),
            None if is_whole(kept) => ToolPath::new(kept),
            None => home.join(kept),
        }
    }

    /// Keeps a folder that was typed or dropped.
    pub(super) fn add_projects(&self, typed: &str) -> Result<(), String> {
        let tr = &self.means.tr.now();
        // A path that was dropped or copied may come as an address, or between quotes.
        let typed = typed.trim().trim_matches(['"', '\'']);
        let typed = typed.strip_prefix("file://").unwrap_or(typed);
        let typed = typed.strip_suffix('/').filter(|rest| !rest.is_empty()).unwrap_or(typed);
        if !is_whole(typed) && !typed.starts_with('~') {
            return Err(tr.text("switching-projects-whole"));
        }
        let path = self.folder(typed);
        if !self.machine.files.is_folder(&path) {
            return Err(tr.with("switching-projects-missing", &args!("folder" => typed)));
        }
        let mut folders = self.settings().projects;
        if folders.iter().any(|known| self.folder(known) == path) {
            return Err(tr.with("switching-projects-known", &args!("folder" => typed)));
        }
        folders.push(typed.to_owned());
        self.set(|file| file.set_projects(&folders))
    }

    /// Keeps a folder no longer. Nothing in it changes.
    pub(super) fn remove_projects(&self, kept: &str) -> Result<(), String> {
        let mut folders = self.settings().projects;
        folders.retain(|folder| folder != kept);
        self.set(|file| file.set_projects(&folders))
    }

    /// Plans to have one project's file name a target.
    pub(super) fn plan_one_pin(
        &self,
        seat: &Seat,
        pin: &Pin,
        target: &TargetId,
        goals: &[Goal],
    ) -> Result<(Offer, Planned), String> {
        let tr = &self.means.tr.now();
        let gone = || tr.text("switching-fails-gone");
        let goal = goals.iter().find(|goal| goal.target == *target).ok_or_else(gone)?;
        let (tool, home) = self.home(seat).ok_or_else(gone)?;
        let plan = self.plan_pin_to(tool, &home, pin, goal).map_err(|reason| reason.message(tool.name(), goal, tr))?;
        let parts = vec![part(tool, &home, &plan)];
        Ok((offer(parts), Planned::Switches(vec![(tool, home, plan)])))
    }

    /// What *everywhere* could do besides, where the user wants it: the pins that name another model and decide.
    pub(super) fn plan_pins(&self, goal: &Goal) -> Vec<(&'static dyn Tool, Home, Plan)> {
        let mut plans = Vec::new();
        for seen in self.projects.iter().flat_map(|folder| &folder.pins) {
            let Some((tool, home)) = self.home(&seen.seat) else { continue };
            let plan = self.plan_pin_to(tool, &home, &seen.pin, goal).ok();
            let is_change = |plan: &Plan| matches!(&plan.action, Action::Edit(edits) if !edits.is_empty());
            plans.extend(plan.filter(is_change).map(|plan| (tool, home, plan)));
        }
        plans
    }

    fn plan_pin_to(&self, tool: &dyn Tool, home: &Home, pin: &Pin, goal: &Goal) -> Result<Plan, Unreachable> {
        let mut world = self.machine.world(tool);
        world.cwd = Some(&pin.folder);
        let at = At { world, home };
        let mut way = reach(tool, &tool.endpoints(&at), world.vars, goal)?;
        way.wanted.model = tool.spell(&way.endpoint, &way.wanted.model);
        let mut plan = plan_pin(tool, &self.machine.world(tool), home, pin, &way.wanted);
        // The provider may be named elsewhere in the project: then another model of it is not the target.
        let reached = Reached::by(tool, way);
        if pin.decides && Reached::used([(&goal.target, &reached)], &plan.after).is_none() {
            plan.action = Action::Refuse(unfit(pin));
        }
        Ok(plan)
    }
}

/// Whether a path begins at the root.
fn is_whole(path: &str) -> bool {
    path.starts_with('/') || ToolPath::new(path).is_windows()
}
