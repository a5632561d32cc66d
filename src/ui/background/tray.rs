//! What the tray says: the state in words, and the menu. Pure but for the pictures. Times are absolute, so that nothing
//! changes while no state does.

use jiff::Timestamp;

use super::Act;
use super::sign::{Drawn, LINE, SIDES, Sign};
use crate::args;
use crate::core::board::Entry;
use crate::core::outcome::Kind;
use crate::core::target::{Role, TargetId};
use crate::engine::snapshot::Snapshot;
use crate::format;
use crate::i18n::Tr;
use crate::platform::tray::{Item, Look};
use crate::ui::screens::board::model::shown_family;
use crate::ui::switching::Seen;
use crate::ui::widgets::mark::Mark;

/// Targets in the menu; a panel's menu that does not fit on the screen cannot be used.
const MOST: usize = 15;

/// What it is made from.
pub struct Scene<'a> {
    /// The picture of all targets.
    pub snapshot: &'a Snapshot,
    /// The tools, once they were read.
    pub seen: Option<&'a Seen>,
    /// The time.
    pub now: Timestamp,
    /// In which words.
    pub tr: &'a Tr,
}

impl Scene<'_> {
    /// Everything that is seen of the tray.
    pub fn look(&self, drawn: &mut Drawn) -> Look<Act> {
        Look {
            icons: SIDES.map(|side| drawn.get(self.sign(), side)).into(),
            title: "Vacancy".to_owned(),
            tooltip: self.tooltip(),
            menu: self.menu(drawn),
        }
    }

    /// The sign of the primary model, or of the pause.
    pub fn sign(&self) -> Sign {
        if self.snapshot.status.paused.is_some() {
            return Sign::Paused;
        }
        Sign::State(match self.primary() {
            // Our own network is down: nothing is known of now.
            Some(_) if self.snapshot.board.banner.is_some() => Mark::NoEvidence,
            Some(entry) => self.mark(entry),
            None => Mark::NoEvidence,
        })
    }

    fn primary(&self) -> Option<&Entry> {
        let entries = &self.snapshot.board.entries;
        entries.iter().find(|entry| entry.target.role == Some(Role::Primary)).or(entries.first())
    }

    fn mark(&self, entry: &Entry) -> Mark {
        let is_unrecognized = entry.confirmed.is_some_and(|confirmed| confirmed.kind == Kind::Unrecognized);
        Mark::of_state(shown_family(entry, self.now), is_unrecognized, entry.is_stale(self.now))
    }

    fn name(&self, target: &TargetId) -> String {
        self.snapshot.board.name_of(target)
    }

    /// `sol · Free since 14:05`.
    fn line(&self, entry: &Entry) -> String {
        let mark = self.mark(entry);
        let state = mark.word(self.tr);
        let since = entry.confirmed.filter(|_| mark != Mark::Stale && mark != Mark::NoEvidence);
        let state = match since {
            Some(confirmed) if !entry.is_refused_in_sessions => {
                let time = format::moment(confirmed.since, self.now, &self.snapshot.zone, self.tr);
                self.tr.with("background-tray-since", &args!("state" => state, "time" => time))
            }
            _ => state,
        };
        self.tr.with("background-tray-line", &args!("model" => self.name(&entry.target.id), "state" => state))
    }

    fn tooltip(&self) -> String {
        let (snapshot, tr) = (self.snapshot, self.tr);
        let mut lines = Vec::new();
        match snapshot.status.paused {
            Some(Some(until)) => {
                let time = format::moment(until, self.now, &snapshot.zone, tr);
                lines.push(tr.with("background-tray-paused-until", &args!("time" => time)));
            }
            Some(None) => lines.push(tr.text("background-tray-paused")),
            None if snapshot.board.banner.is_some() => lines.push(tr.text("background-tray-offline")),
            None => {}
        }
        match self.primary() {
            None => lines.push(tr.text("background-tray-nothing")),
            Some(primary) => {
                lines.push(self.line(primary));
                if !primary.is_free(self.now) {
                    lines.push(match snapshot.board.first_free(self.now) {
                        Some(free) => tr.with("background-tray-free", &args!("model" => self.name(&free.target.id))),
                        None if snapshot.board.entries.iter().all(|entry| entry.confirmed.is_none()) => {
                            tr.text("background-tray-none-known")
                        }
                        None => tr.text("background-tray-none-free"),
                    });
                }
            }
        }
        lines.join("\n")
    }

    fn menu(&self, drawn: &mut Drawn) -> Vec<Item<Act>> {
        let tr = self.tr;
        let plain = |id: &str, act| Item::Line { label: tr.text(id), act: Some(act), icon: None, is_ticked: None };
        let entries = &self.snapshot.board.entries;
        let mut menu: Vec<Item<Act>> = entries
            .iter()
            .take(MOST)
            .map(|entry| Item::Line {
                label: self.line(entry),
                act: Some(Act::Select(entry.target.id.clone())),
                icon: Some(drawn.get(Sign::State(self.mark(entry)), LINE)),
                is_ticked: None,
            })
            .collect();
        if entries.len() > MOST {
            let label = tr.with("background-tray-more", &args!("n" => entries.len() - MOST));
            menu.push(Item::Line { label, act: Some(Act::Show), icon: None, is_ticked: None });
        }
        let tools = self.tools();
        for group in [tools, self.pause().map(|(id, act)| plain(id, act)).into_iter().chain(self.quiet()).collect()] {
            if !group.is_empty() {
                menu.push(Item::Separator);
                menu.extend(group);
            }
        }
        menu.extend([
            Item::Separator,
            plain("background-tray-show", Act::Show),
            plain("background-tray-glance", Act::Glance),
            plain("background-tray-quit", Act::Quit),
        ]);
        menu
    }

    fn pause(&self) -> Option<(&'static str, Act)> {
        match self.snapshot.status.paused {
            Some(_) => Some(("background-tray-resume", Act::Resume)),
            None if self.snapshot.board.entries.is_empty() => None,
            None => Some(("background-tray-pause", Act::Pause)),
        }
    }

    /// Whether notices are held back by the user's wish; hours of the settings are not for the tray to end.
    fn quiet(&self) -> Option<Item<Act>> {
        let is_quiet = self.snapshot.status.notices.quiet.is_some_and(|quiet| quiet.is_by_hand);
        (!self.snapshot.board.entries.is_empty()).then(|| Item::Line {
            label: self.tr.text("background-tray-quiet"),
            act: Some(Act::Quiet(!is_quiet)),
            icon: None,
            is_ticked: Some(is_quiet),
        })
    }

    /// A menu for each tool that can be told to use one of the targets.
    fn tools(&self) -> Vec<Item<Act>> {
        let mut named = Vec::new();
        let mut menus = Vec::new();
        for tool in self.seen.iter().flat_map(|seen| &seen.tools) {
            let used = tool.used();
            let targets = tool.choices.iter().map(|(goal, _)| &goal.target).filter(|target| tool.reaches(target));
            let items: Vec<_> = targets
                .map(|target| Item::Line {
                    label: self
                        .snapshot
                        .board
                        .entry(target)
                        .map_or_else(|| self.name(target), |entry| self.line(entry)),
                    act: Some(Act::Use { tool: tool.seat.tool, target: target.clone() }),
                    icon: None,
                    is_ticked: Some(used == Some(target)),
                })
                .collect();
            // A tool with several homes is switched in the window, where they can be told apart.
            if items.is_empty() || named.contains(&tool.seat.tool) {
                continue;
            }
            named.push(tool.seat.tool);
            let label = self.tr.with("background-tray-tool", &args!("tool" => tool.name));
            menus.push(Item::Menu { label, items });
        }
        menus
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::core::alert::Quiet;
    use crate::core::board::Banner;
    use crate::core::outcome::Scope;
    use crate::i18n::Lang;
    use crate::ui::stage::Stage;

    fn now() -> Timestamp {
        "2026-11-29T13:27:30Z".parse().unwrap()
    }

    fn look(snapshot: &Snapshot, now: Timestamp) -> Look<Act> {
        let tr = Tr::new(Lang::English);
        Scene { snapshot, seen: None, now, tr: &tr }.look(&mut Drawn::default())
    }

    fn sign(snapshot: &Snapshot) -> Sign {
        let tr = Tr::new(Lang::English);
        Scene { snapshot, seen: None, now: now(), tr: &tr }.sign()
    }

    /// A full primary and a free backup.
    fn stage() -> Stage {
        let mut stage = Stage::new(now(), TimeZone::UTC);
        stage.target("sol", "openai", Some(Role::Primary));
        stage.state(Kind::AtCapacity, Scope::Model, 22, "overloaded");
        stage.target("luna", "openai", Some(Role::Backup));
        stage.state(Kind::Available, Scope::Model, 60 * 26, "answered");
        stage
    }

    #[test]
    fn the_state_in_words_names_what_is_free_now() {
        let snapshot = stage().snapshot();
        let look = look(&snapshot, now());
        assert_eq!(look.tooltip, "sol · Full since 13:05\nFree now: luna");
        assert!(matches!(&look.menu[1], Item::Line { label, act: Some(Act::Select(id)), icon: Some(_), .. }
            if label.starts_with("luna · Available since ") && *id == snapshot.board.entries[1].target.id));
    }

    /// A change of the minute must not wake the bus.
    #[test]
    fn nothing_changes_with_the_time_alone() {
        let snapshot = stage().snapshot();
        let later = now() + jiff::SignedDuration::from_mins(5);
        assert_eq!(look(&snapshot, now()), look(&snapshot, later));
    }

    #[test]
    fn the_sign_is_the_primary_s_unless_nothing_is_known() {
        let mut stage = stage();
        assert_eq!(sign(&stage.snapshot()), Sign::State(Mark::Full));
        stage.board(|board| board.banner = Some(Banner::Offline { since: now() }));
        assert_eq!(sign(&stage.snapshot()), Sign::State(Mark::NoEvidence));
        assert!(look(&stage.snapshot(), now()).tooltip.starts_with("Your own network is down\n"));
        stage.status(|status| status.paused = Some(Some("2026-11-29T14:27:00Z".parse().unwrap())));
        assert_eq!(sign(&stage.snapshot()), Sign::Paused);
        assert!(look(&stage.snapshot(), now()).tooltip.starts_with("Paused until 14:27\n"));
        let nothing = Stage::new(now(), TimeZone::UTC).snapshot();
        assert_eq!(sign(&nothing), Sign::State(Mark::NoEvidence));
        let acts = |look: &Look<Act>| look.menu.iter().filter(|item| matches!(item, Item::Line { .. })).count();
        assert_eq!(acts(&look(&nothing, now())), 3, "show, glance, quit");
    }

    #[test]
    fn the_menu_ends_what_it_began() {
        let has = |snapshot: &Snapshot, wanted: &Act| {
            look(snapshot, now())
                .menu
                .iter()
                .any(|item| matches!(item, Item::Line { act: Some(act), .. } if act == wanted))
        };
        let mut stage = stage();
        assert!(has(&stage.snapshot(), &Act::Pause) && has(&stage.snapshot(), &Act::Quiet(true)));
        stage.status(|status| {
            status.paused = Some(None);
            status.notices.quiet = Some(Quiet { until: None, is_by_hand: true });
        });
        assert!(has(&stage.snapshot(), &Act::Resume) && has(&stage.snapshot(), &Act::Quiet(false)));
        // The settings' own quiet hours are not the tray's to end.
        stage.status(|status| status.notices.quiet = Some(Quiet { until: None, is_by_hand: false }));
        assert!(has(&stage.snapshot(), &Act::Quiet(true)));
    }
}
