//! The Board's table: one focusable row a target, in chain order.

use egui::accesskit::Action;
use egui::{FocusDirection, Id, Key, Margin, Modifiers, Role, Ui, vec2};

use crate::core::outcome::Family;
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::command::Command;
use crate::ui::theme::tokens::{size, space};
use crate::ui::theme::{Type, palette};
use crate::ui::widgets::row::{self, RowState};
use crate::ui::widgets::{access, card, mark::Mark, rows, strip};

use super::model::{Model, Row};
use super::use_button::{self, Button};
use crate::ui::screens::switch::uses::Uses;

/// A column and its width, decided by the room there is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Columns {
    role: Option<f32>,
    model: f32,
    state: f32,
    first_token: Option<f32>,
    strip: Option<f32>,
    next: Option<f32>,
    use_it: Option<f32>,
}

/// What the table is drawn from.
pub(super) struct Scene<'a> {
    pub model: &'a Model,
    /// The row that the detail panel shows.
    pub shown: Option<usize>,
    pub snapshot: &'a Snapshot,
    /// What can be done with each target.
    pub uses: &'a Uses,
    pub tr: &'a Tr,
}

/// Holds *Use in opencode*; on a wide page longer names too.
const USE: f32 = 126.0;
const USE_WIDE: f32 = 152.0;
/// Holds *Use* alone; in the place of the next probe.
const USE_SHORT: f32 = 68.0;
/// From this room on, the page is wide.
const WIDE: f32 = 900.0;
const ROLE: f32 = 76.0;
const FIRST_TOKEN: f32 = 62.0;
const NEXT: f32 = 68.0;
/// Two points a quarter hour.
const STRIP: f32 = 192.0;
/// One point a quarter hour: the least, and by what it grows.
const STRIP_STEP: f32 = 96.0;
/// The strip is solid, so that it needs more air after it than words do.
const AFTER_STRIP: f32 = 8.0;
/// Room that model and state together get before the strip grows.
const FLEX: f32 = 72.0;
const STRIP_MAX: f32 = 480.0;
const MODEL_MIN: f32 = 136.0;
/// The widest a name makes its column.
const MODEL_MAX: f32 = 420.0;
const STATE_MIN: f32 = 168.0;
/// What the longest state needs is known in steps of so much, so that the columns stay where they are while minutes pass.
const STATE_STEP: f32 = 4.0;
/// The least of a state, and of a name in the narrowest table.
const STATE_LEAST: f32 = 120.0;
const MODEL_LEAST: f32 = 96.0;
/// The widest a tool's name makes the column of the short button.
const USE_SHORT_MAX: f32 = 112.0;

/// What the longest words of a column need.
#[derive(Clone, Copy, Debug, Default)]
struct Needs {
    /// Of the models, with where they come from.
    names: f32,
    /// Of the states.
    states: f32,
    /// Of the tools that use a model.
    tools: f32,
}

impl Columns {
    /// Drops columns until the rest fits into `room`: the role first (it moves under the model), then the strip, then the
    /// first token, then the next probe, which gives its place to a short button. What the longest name of a model needs
    /// comes before the role, before a wider strip and before room that no state has a use for. The strip grows by whole points a
    /// quarter hour, so that its cells stay equal; what is left goes to model and state.
    fn fit(room: f32, needs: &Needs, has_uses: bool) -> Self {
        let gap = space::BASE;
        let least = size::MARK + gap + MODEL_MIN + gap + STATE_MIN + gap + NEXT.max(USE_SHORT);
        let mut left = room - least;
        let mut take = |width: f32| {
            let fits = left >= width + gap;
            if fits {
                left -= width + gap;
            }
            fits.then_some(width)
        };
        let beside = if has_uses { take(if room >= WIDE { USE_WIDE } else { USE }) } else { None };
        // Beside an open detail there may be room for one of them, and what a row can do comes before what it will do.
        let use_it = beside.or(has_uses.then_some(USE_SHORT));
        let next = (use_it.is_none() || beside.is_some()).then_some(NEXT);
        let first_token = take(FIRST_TOKEN);
        let take_strip = |width: f32| take(width + AFTER_STRIP).map(|_| width);
        let mut strip = first_token.and_then(|_| [STRIP, STRIP_STEP].into_iter().find_map(take_strip));
        let mut state = ((needs.states / STATE_STEP).ceil() * STATE_STEP).clamp(STATE_LEAST, STATE_MIN);
        // What the states leave of their column, or where there is not room for it all, what there is.
        left += STATE_MIN - state;
        let more = (needs.names.min(MODEL_MAX) - MODEL_MIN).min(left).max((MODEL_LEAST - MODEL_MIN).max(left.min(0.0)));
        left -= more;
        let use_it = use_it.map(|width| match width <= USE_SHORT {
            true => width + (needs.tools.min(USE_SHORT_MAX) - width).min(left).max(0.0).floor(),
            false => width,
        });
        left -= use_it.filter(|_| beside.is_none()).map_or(0.0, |width| width - USE_SHORT);
        let back = left.clamp(0.0, STATE_MIN - state);
        state += back;
        left -= back;
        // Borrowed anew, as `left` changed in between.
        let role = strip.filter(|_| left >= ROLE + gap).map(|_| ROLE);
        left -= role.map_or(0.0, |width| width + gap);
        let mut left = left.max(0.0);
        if let Some(width) = strip.as_mut().filter(|width| **width >= STRIP) {
            while *width < STRIP_MAX && left >= STRIP_STEP + FLEX {
                *width += STRIP_STEP;
                left -= STRIP_STEP;
            }
        }
        Self {
            role,
            model: MODEL_MIN + more.floor() + (left * 0.45).floor(),
            state: state.floor() + (left * 0.55).floor(),
            first_token,
            strip,
            next,
            use_it,
        }
    }
}

/// Draws the table.
pub(super) fn ui(ui: &mut Ui, scene: &Scene<'_>, commands: &mut Vec<Command>) {
    let Scene { model, shown, tr, .. } = *scene;
    let (moved, stop) = keyboard(ui, model, shown, commands);
    let frame = card::frame(ui).inner_margin(Margin::same(0));
    frame.show(ui, |ui| {
        access::part(ui, Role::ListBox, &tr.text("ui-name-models"));
        ui.spacing_mut().item_spacing.y = 0.0;
        let widest = |width: &dyn Fn(&Row) -> f32| model.rows.iter().map(width).fold(0.0, f32::max).ceil();
        let names = widest(&|row| Type::Strong.width(ui, row.name.as_str()));
        let whole = widest(&|row| Type::Caption.width(ui, from(row)));
        let tools = |row: &Row| {
            let uses = scene.uses.get(&row.target).filter(|uses| uses.direct.is_none() && uses.tools.is_empty());
            uses.map_or(0.0, |uses| Type::Body.width(ui, uses.users.as_str()))
        };
        let mut needs = Needs {
            names: names.max(whole),
            states: widest(&|row| {
                Type::Body.width(ui, row.state.as_str()).max(Type::Caption.width(ui, row.advice.as_str()))
            }),
            tools: widest(&tools),
        };
        let fit =
            |needs: &Needs| Columns::fit(ui.available_width() - 2.0 * space::LARGE, needs, !scene.uses.is_empty());
        let mut columns = fit(&needs);
        let mut has_role = columns.role.is_none();
        let providers = widest(&|row| Type::Caption.width(ui, row.provider.as_str()));
        // Where both do not fit, the order of the rows tells the role, and nothing else tells the provider.
        if has_role && (providers..whole).contains(&columns.model) {
            has_role = false;
            needs.names = names.max(providers);
            columns = fit(&needs);
        }
        head(ui, &columns, tr);
        for (index, row) in model.rows.iter().enumerate() {
            let state = RowState { is_selected: shown == Some(index), is_first: false, is_passed: index != stop };
            let id = row_id(&row.target);
            let (response, ()) = row::row(ui, id, &row.summary, size::ROW_TALL, state, |ui| {
                if ui.is_rect_visible(ui.max_rect()) {
                    cells(ui, row, (&columns, has_role), scene, index == stop, commands);
                }
            });
            if response.has_focus() {
                access::keeps_pages(ui, id);
            }
            if moved == Some(index) {
                response.request_focus();
                response.scroll_to_me(None);
            }
            let is_asked_for = ui.input(|input| input.has_accesskit_action_request(id, Action::Focus));
            if response.clicked() || is_asked_for {
                response.request_focus();
                commands.push(Command::Select(row.target.clone()));
            }
        }
    });
}

/// Where a model comes from, with its role, which has no column of its own.
fn from(row: &Row) -> String {
    format!("{} · {}", row.role, row.provider)
}

fn row_id(target: &TargetId) -> Id {
    Id::unique(("board-row", target.as_str()))
}

/// Moves the selection by the keys of a list; the row to move to, and the one at which Tab stops. Another widget's focus
/// keeps its keys.
fn keyboard(ui: &Ui, model: &Model, shown: Option<usize>, commands: &mut Vec<Command>) -> (Option<usize>, usize) {
    let focused = ui.memory(|memory| memory.focused());
    let at = focused.and_then(|id| model.rows.iter().position(|row| row_id(&row.target) == id));
    let stop = at.or(shown).unwrap_or(0);
    let last = model.rows.len().saturating_sub(1);
    let moved = match (at, focused) {
        _ if model.rows.is_empty() => None,
        (None, Some(_)) => None,
        (Some(at), _) => {
            let page = ((ui.clip_rect().height() / size::ROW_TALL) as usize).max(2) - 1;
            rows::pressed(ui, at, last, page)
        }
        // The first press from outside the table only enters it.
        (None, None) => entered(ui, shown, last),
    };
    if let Some(to) = moved {
        commands.push(Command::Select(model.rows[to].target.clone()));
    }
    (moved, moved.unwrap_or(stop))
}

/// The row to which the first key leads, while nothing has the focus.
fn entered(ui: &Ui, shown: Option<usize>, last: usize) -> Option<usize> {
    let keys =
        [(Key::ArrowDown, shown.unwrap_or(0)), (Key::ArrowUp, shown.unwrap_or(last)), (Key::Home, 0), (Key::End, last)];
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (_, to) = keys.into_iter().find(|(key, _)| pressed(*key))?;
    ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    Some(to)
}

fn head(ui: &mut Ui, columns: &Columns, tr: &Tr) {
    let texts =
        ["role", "model", "state", "first-token", "strip", "next"].map(|id| tr.text(&format!("ui-column-{id}")));
    let [role, model, state, first_token, strip, next] = &texts;
    let mut heads: Vec<(&str, f32)> = Vec::new();
    if let Some(width) = columns.role {
        heads.push((role, width));
    }
    // The mark has no head of its own: it stands before the model.
    heads.push(("", size::MARK));
    heads.push((model, columns.model));
    heads.push((state, columns.state));
    if let Some(width) = columns.first_token {
        heads.push((first_token, width));
    }
    if let Some(width) = columns.strip {
        heads.push((strip, width + AFTER_STRIP));
    }
    if let Some(width) = columns.next {
        heads.push((next, width));
    }
    row::head(ui, size::ROW + space::SMALL, &heads);
}

fn cells(
    ui: &mut Ui,
    row: &Row,
    (columns, has_role): (&Columns, bool),
    scene: &Scene<'_>,
    has_stop: bool,
    commands: &mut Vec<Command>,
) {
    let Scene { snapshot, tr, .. } = *scene;
    let palette = palette(ui);
    if let Some(width) = columns.role {
        row::column(ui, width, |ui| quiet(ui, Type::Caption, &row.role, palette.weak));
    }
    let mark = Mark::of_state(row.family, row.is_unrecognized, row.is_stale);
    row::column(ui, size::MARK, |ui| mark.ui(ui, tr));
    row::column(ui, columns.model, |ui| match has_role {
        false => row::two_lines(ui, &row.name, &row.provider),
        true => row::two_lines(ui, &row.name, &from(row)),
    });
    row::column(ui, columns.state, |ui| {
        row::lines(ui, Type::Body, (&row.state, palette.text), (&row.advice, palette.weak));
    });
    if let Some(width) = columns.first_token {
        let color = if row.is_slow { palette.strong } else { palette.text };
        row::column(ui, width, |ui| quiet(ui, Type::Mono, &row.first_token, color));
    }
    if let Some(width) = columns.strip {
        row::column(ui, width + AFTER_STRIP, |ui| {
            strip::strip(ui, &row.strip, &row.name, vec2(width, size::STRIP), &snapshot.zone, tr);
        });
    }
    if let Some(width) = columns.next {
        row::column(ui, width, |ui| {
            let response = quiet(ui, Type::Mono, &row.next, palette.text);
            response.on_hover_text(&row.next_words);
        });
    }
    if let Some(width) = columns.use_it {
        row::column(ui, width, |ui| {
            if let Some(offered) = scene.uses.get(&row.target) {
                let is_free = row.family == Family::Available;
                let is_first = scene.model.rows.iter().find(|row| row.family == Family::Available) == Some(row);
                let button = Button {
                    offered,
                    target: &row.target,
                    name: &row.name,
                    is_free,
                    is_first,
                    is_passed: !has_stop,
                    is_short: width <= USE_SHORT_MAX,
                };
                use_button::ui(ui, &button, tr, commands);
            }
        });
    }
}

/// Text that is cut at the column's edge, with the whole on hover.
fn quiet(ui: &mut Ui, kind: Type, text: &str, color: egui::Color32) -> egui::Response {
    ui.add(egui::Label::new(kind.text(text).color(color)).truncate().selectable(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_never_exceed_their_room() {
        let texts = [(80.0, 90.0, 0.0), (260.0, 150.0, 84.0), (900.0, 400.0, 200.0)];
        let rooms = (386..1600).step_by(7).flat_map(|room| texts.map(|texts| (room as f32, texts)));
        for (room, (names, states, tools)) in rooms.filter(|(room, (_, states, _))| *room >= 418.0 || *states < 168.0) {
            let columns = Columns::fit(room, &Needs { names, states, tools }, true);
            let Columns { role, model, state, first_token, strip, next, use_it } = columns;
            let shown_strip = strip.map(|width| width + AFTER_STRIP);
            let widths = [role, Some(size::MARK), Some(model), Some(state), first_token, shown_strip, next, use_it];
            let shown: Vec<f32> = widths.into_iter().flatten().collect();
            let used = shown.iter().sum::<f32>() + space::BASE * (shown.len() - 1) as f32;
            assert!(used <= room + 0.01, "{room}, {names}: {columns:?} uses {used}");
            assert!(state >= states.min(STATE_MIN), "{room}: {columns:?} cuts a state of {states}");
            assert!(use_it.is_some(), "{room}: {columns:?}");
            assert!(strip.is_none_or(|width| (STRIP_STEP..=STRIP_MAX).contains(&width) && width % STRIP_STEP == 0.0));
        }
    }
}
