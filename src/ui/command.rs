//! Every command: the one list for palette, shortcuts and buttons.

use egui::os::OperatingSystem;
use egui::{Context, Key, KeyboardShortcut, ModifierNames, Modifiers};

use crate::args;
use crate::core::board::Board;
use crate::core::history::Query;
use crate::core::target::TargetId;
use crate::engine::snapshot::Snapshot;
use crate::i18n::{Lang, Tr};
use crate::notify::Answer;
use crate::settings::{Close, ThemeChoice};
use crate::switch::undo::Direction;
use crate::toolprobe::Program;
use crate::ui::backfill::Steer;
use crate::ui::background;
use crate::ui::hush::{self, Hush};
use crate::ui::screens::history::range::{Act, Form, Preset};
use crate::ui::screens::settings::fields::Section;
use crate::ui::screens::switch::uses::Uses;
use crate::ui::settings;
use crate::ui::sheets::{self, Ask, Span, View};
use crate::ui::state::{Screen, UiState};
use crate::ui::switching::{self, What};
use crate::ui::tools::Asking;

/// What the user may tell the window to do. Drawing returns these; they are carried out after it.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Show a screen.
    Go(Screen),
    /// Probe everything that may be probed.
    ProbeAll,
    /// Probe one target.
    Probe(TargetId),
    /// Pause probing, or end the pause.
    TogglePause,
    /// Disturb nobody for a time, or again.
    Hush(Hush),
    /// Show a target's detail, on the Board.
    Select(TargetId),
    /// Close what is open: overlay, explanation, detail, filter.
    Back,
    /// Open or close the explanation in the detail panel.
    ToggleExplanation,
    /// Copy a target's probe as a curl command.
    CopyCurl(TargetId),
    /// Copy a text.
    CopyText(String),
    /// Put the cursor into the filter field of Activity.
    Filter,
    /// Open the palette.
    Palette,
    /// Show the shortcuts.
    Keys,
    /// Read the settings file again.
    ReloadSettings,
    /// Larger text.
    ZoomIn,
    /// Smaller text.
    ZoomOut,
    /// Usual size.
    ZoomReset,
    /// Change the theme.
    Theme(ThemeChoice),
    /// Change the language.
    Language(Lang),
    /// Change the tick of a finding.
    ToggleFinding(TargetId),
    /// Write the settings for what is ticked, and begin to watch.
    Start,
    /// Look at the machine again.
    LookAgain,
    /// Begin the demo.
    TryDemo,
    /// Change the tick that offers to read the tools' logs.
    ToggleLogs,
    /// Read what the tools have written so far into the record.
    ReadLogs,
    /// Hold, go on with or end that reading.
    SteerLogs(Steer),
    /// Change what History shows.
    History(Act),
    /// Ask the record for what History shows.
    ReadHistory(Box<Query>),
    /// Change what Heatmap or Cheat sheet shows.
    Sheets(sheets::Act),
    /// Ask the record for what they show.
    ReadSheet(Box<Ask>),
    /// Show which subscriptions' tools may be asked, and ask for a consent.
    Tools(Option<Asking>),
    /// Let a tool be asked of itself from now on, or no longer.
    SetTool(Program, bool),
    /// Ask a tool once for this model, now that the user knows what it costs.
    AskOnce(TargetId),
    /// Read, plan or write a tool's model.
    Switching(switching::Act),
    /// Use the selected target in the tool that was switched last.
    UseSelected,
    /// Press a notice's button.
    Answer(Answer),
    /// Send a test notice to the desktop, the hook and the webhook.
    TestNotice,
    /// Open or close the small window that stays above the others.
    Glance,
    /// Put the window away, bring it back, or end the program.
    Background(background::Act),
    /// Write down what closing the window means.
    SetClose(Close),
    /// Start with the session from now on, or no longer.
    SetAutostart(bool),
    /// Change the settings, or what Settings shows.
    Settings(settings::Act),
}

/// A command that the palette lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// What it does.
    pub command: Command,
    /// Its name.
    pub label: String,
    /// What it does, in a sentence.
    pub help: String,
}

impl Command {
    /// Go where providers and their models are added by hand.
    pub const fn add_by_hand() -> [Self; 2] {
        [Self::Settings(settings::Act::Show(Section::Providers)), Self::Go(Screen::Settings)]
    }

    /// The commands without a target, in the order of palette and key list.
    pub fn general() -> Vec<Self> {
        let mut all: Vec<Self> = Screen::RAIL.map(Self::Go).into();
        all.extend([
            Self::ProbeAll,
            Self::TogglePause,
            Self::Glance,
            Self::Filter,
            Self::Palette,
            Self::Keys,
            Self::Back,
        ]);
        all.extend(Hush::ALL.map(Self::Hush));
        all.extend(Preset::ALL.map(|preset| Self::History(Act::Preset(preset))));
        all.push(Self::History(Act::Table));
        all.extend(Form::ALL.map(|form| Self::History(Act::Export(form))));
        let walk = |direction| Self::Switching(switching::Act::Plan(What::last(direction)));
        all.extend([Self::UseSelected, walk(Direction::Undo), walk(Direction::Redo)]);
        all.push(Self::Switching(switching::Act::Look));
        all.extend(View::ALL.map(|view| Self::Sheets(sheets::Act::View(view))));
        all.extend(Span::ALL.map(|span| Self::Sheets(sheets::Act::Span(span))));
        all.extend([sheets::Act::Table, sheets::Act::Copy].map(Self::Sheets));
        all.extend([
            Self::ReloadSettings,
            Self::ReadLogs,
            Self::TestNotice,
            Self::Tools(None),
            Self::ZoomIn,
            Self::ZoomOut,
            Self::ZoomReset,
        ]);
        all.extend(ThemeChoice::ALL.map(|(_, theme)| Self::Theme(theme)));
        all.extend(Lang::ALL.map(Self::Language));
        all.extend(Close::ALL.map(|(_, close)| Self::SetClose(close)));
        all.extend([true, false].map(Self::SetAutostart));
        all.extend([background::Act::Retire, background::Act::Quit].map(Self::Background));
        all
    }

    /// The stable name: message ids are `ui-command-<name>` and `ui-command-<name>-help`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Go(screen) => screen.name(),
            Self::ProbeAll => "probe-all",
            Self::Probe(_) => "probe",
            Self::TogglePause => "pause",
            Self::Hush(hush) => hush.name(),
            Self::Select(_) => "select",
            Self::Back => "back",
            Self::ToggleExplanation => "explain",
            Self::CopyCurl(_) => "copy-curl",
            Self::CopyText(_) => "copy",
            Self::Filter => "filter",
            Self::Palette => "palette",
            Self::Keys => "keys",
            Self::ReloadSettings => "reload",
            Self::ZoomIn => "zoom-in",
            Self::ZoomOut => "zoom-out",
            Self::ZoomReset => "zoom-reset",
            Self::Theme(ThemeChoice::System) => "theme-system",
            Self::Theme(ThemeChoice::Dark) => "theme-dark",
            Self::Theme(ThemeChoice::Light) => "theme-light",
            Self::Language(Lang::English) => "language-english",
            Self::Language(Lang::Chinese) => "language-chinese",
            Self::ToggleFinding(_) => "toggle-finding",
            Self::Start => "start",
            Self::LookAgain => "look-again",
            Self::TryDemo => "try-demo",
            Self::ToggleLogs => "toggle-logs",
            Self::ReadLogs => "read-logs",
            Self::SteerLogs(_) => "steer-logs",
            Self::History(Act::Preset(Preset::Day)) => "history-day",
            Self::History(Act::Preset(Preset::Week)) => "history-week",
            Self::History(Act::Preset(Preset::Month)) => "history-month",
            Self::History(Act::Preset(Preset::Year)) => "history-year",
            Self::History(Act::Preset(Preset::All)) => "history-all",
            Self::History(Act::Table) => "history-table",
            Self::History(Act::Export(Form::Csv)) => "history-csv",
            Self::History(Act::Export(Form::Json)) => "history-json",
            Self::History(Act::Export(Form::Jsonl)) => "history-jsonl",
            Self::History(Act::Export(Form::Png)) => "history-png",
            Self::History(_) => "history-view",
            Self::ReadHistory(_) => "history-read",
            Self::Sheets(sheets::Act::View(View::Week)) => "heatmap-week",
            Self::Sheets(sheets::Act::View(View::Hours)) => "heatmap-hours",
            Self::Sheets(sheets::Act::View(View::Days)) => "heatmap-days",
            Self::Sheets(sheets::Act::Span(Span::All)) => "sheet-span-all",
            Self::Sheets(sheets::Act::Span(Span::EightWeeks)) => "sheet-span-eight-weeks",
            Self::Sheets(sheets::Act::Span(Span::FourWeeks)) => "sheet-span-four-weeks",
            Self::Sheets(sheets::Act::Table) => "heatmap-table",
            Self::Sheets(sheets::Act::Copy) => "sheet-copy",
            Self::Sheets(_) => "sheet-view",
            Self::ReadSheet(_) => "sheet-read",
            Self::Tools(_) => "tools",
            Self::SetTool(..) => "set-tool",
            Self::AskOnce(_) => "ask-once",
            Self::UseSelected => "use-selected",
            Self::Glance => "glance",
            Self::Background(background::Act::Retire) => "retire",
            Self::Background(background::Act::Quit) => "quit",
            Self::Background(_) => "background",
            Self::SetClose(Close::Ask) => "close-ask",
            Self::SetClose(Close::Tray) => "close-tray",
            Self::SetClose(Close::Quit) => "close-quit",
            Self::Settings(_) => "settings-view",
            Self::SetAutostart(true) => "autostart-on",
            Self::SetAutostart(false) => "autostart-off",
            Self::Answer(_) => "answer",
            Self::TestNotice => "test-notice",
            Self::Switching(switching::Act::Plan(what)) => match what {
                What::Use(..) | What::Pin(..) => "use",
                What::Everywhere(_) => "use-everywhere",
                What::Walk { direction: Direction::Undo, .. } => "undo",
                What::Walk { direction: Direction::Redo, .. } => "redo",
            },
            Self::Switching(switching::Act::Look) => "look-at-tools",
            Self::Switching(_) => "switching",
        }
    }

    /// Its name in words.
    pub fn label(&self, tr: &Tr) -> String {
        tr.text(&format!("ui-command-{}", self.name()))
    }

    /// What it does, in a sentence.
    pub fn help(&self, tr: &Tr) -> String {
        tr.text(&format!("ui-command-{}-help", self.name()))
    }

    /// Whether it would do something at present.
    pub fn is_enabled(&self, snapshot: &Snapshot, state: &UiState) -> bool {
        match self {
            Self::ProbeAll | Self::TogglePause => !snapshot.board.entries.is_empty(),
            Self::Probe(id) | Self::AskOnce(id) | Self::CopyCurl(id) | Self::Select(id) => {
                snapshot.board.entry(id).is_some()
            }
            // The demo reaches nothing outside its window.
            Self::TestNotice | Self::SetAutostart(_) => !snapshot.status.is_demo,
            Self::Hush(Hush::Off) => hush::is_by_hand(snapshot),
            Self::Theme(theme) => state.theme != Some(*theme),
            Self::Language(lang) => state.lang != Some(*lang),
            Self::SetClose(close) => snapshot.status.background.close != *close,
            Self::History(_) => state.screen == Screen::History,
            Self::UseSelected => state.selected.as_ref().is_some_and(|id| snapshot.board.entry(id).is_some()),
            Self::Sheets(sheets::Act::View(_) | sheets::Act::Table) => state.screen == Screen::Heatmap,
            Self::Sheets(sheets::Act::Copy) => state.screen == Screen::Sheet,
            Self::Sheets(_) => matches!(state.screen, Screen::Heatmap | Screen::Sheet),
            Self::ZoomIn => state.zoom.percent() < 200,
            Self::ZoomOut => state.zoom.percent() > 80,
            Self::ZoomReset => state.zoom.percent() != 100,
            _ => true,
        }
    }

    /// Its shortcuts, the one to show first. `COMMAND` is Ctrl, or Cmd on macOS.
    pub fn shortcuts(&self) -> &'static [KeyboardShortcut] {
        const fn plain(key: Key) -> KeyboardShortcut {
            KeyboardShortcut::new(Modifiers::NONE, key)
        }
        const fn ctrl(key: Key) -> KeyboardShortcut {
            KeyboardShortcut::new(Modifiers::COMMAND, key)
        }
        match self {
            Self::Go(Screen::Settings) => const { &[ctrl(Key::Num7), ctrl(Key::Comma)] },
            // The place in the rail is the digit.
            Self::Go(screen) => {
                const DIGITS: [Key; 7] = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7];
                const KEYS: [KeyboardShortcut; 7] = {
                    let mut keys = [ctrl(Key::Num1); 7];
                    let mut place = 0;
                    while place < keys.len() {
                        keys[place] = ctrl(DIGITS[place]);
                        place += 1;
                    }
                    keys
                };
                let place = Screen::RAIL.iter().position(|other| other == screen);
                place.and_then(|place| KEYS.get(place..=place)).unwrap_or_default()
            }
            Self::ProbeAll => const { &[plain(Key::F5), ctrl(Key::R)] },
            Self::TogglePause => const { &[ctrl(Key::P)] },
            Self::Glance => const { &[ctrl(Key::G)] },
            Self::Filter => const { &[ctrl(Key::F)] },
            Self::Palette => const { &[ctrl(Key::K)] },
            Self::Keys => const { &[plain(Key::F1)] },
            Self::Background(background::Act::Quit) => const { &[ctrl(Key::Q)] },
            Self::Back => const { &[plain(Key::Escape)] },
            Self::ZoomIn => const { &[ctrl(Key::Plus), ctrl(Key::Equals)] },
            Self::ZoomOut => const { &[ctrl(Key::Minus)] },
            Self::ZoomReset => const { &[ctrl(Key::Num0)] },
            Self::UseSelected => const { &[ctrl(Key::Enter)] },
            Self::Switching(switching::Act::Plan(What::Walk { direction, id: None, is_forced: false })) => {
                match direction {
                    Direction::Undo => const { &[ctrl(Key::Z)] },
                    Direction::Redo => {
                        const { &[KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z)] }
                    }
                }
            }
            _ => &[],
        }
    }

    /// The first shortcut as this system writes it, or empty.
    pub fn keys(&self, os: OperatingSystem) -> String {
        self.shortcuts().first().map(|keys| written(keys, os)).unwrap_or_default()
    }

    /// Whether a text field that has the focus keeps its keys for itself.
    const fn yields_to_text(&self) -> bool {
        matches!(self, Self::Switching(_) | Self::UseSelected)
    }

    /// Whether its keys do something while a dialog lies over the window: what shows something else or sets the size does, what
    /// changes something does not.
    const fn reaches_past_dialogs(&self) -> bool {
        !matches!(self, Self::ProbeAll | Self::TogglePause | Self::UseSelected | Self::Switching(_))
    }

    /// On the Settings screen the keys of undo and redo are for the settings.
    pub fn turn_to_settings(&mut self) {
        if let Self::Switching(switching::Act::Plan(What::Walk { direction, id: None, is_forced: false })) = self {
            *self = Self::Settings(match direction {
                Direction::Undo => settings::Act::Undo(None),
                Direction::Redo => settings::Act::Redo(None),
            });
        }
    }

    /// The commands whose shortcut was pressed; takes the keys out of the input.
    pub fn pressed(ctx: &Context) -> Vec<Self> {
        let mut all = Self::general();
        let has_text = ctx.text_edit_focused();
        // Escape closes an open menu first, and goes back only without one.
        if egui::Popup::is_any_open(ctx) {
            all.retain(|command| *command != Self::Back);
        }
        all.retain(|command| !(has_text && command.yields_to_text()));
        // What is asked is answered first.
        if ctx.memory(egui::Memory::top_modal_layer).is_some() {
            all.retain(Self::reaches_past_dialogs);
        }
        // egui matches "logically", so that Ctrl+Shift+Z also fires Ctrl+Z: of two that differ by Shift the longer is
        // asked first.
        all.sort_by_key(|command| !command.shortcuts().iter().any(|keys| keys.modifiers.shift));
        let count = |keys: &KeyboardShortcut| {
            ctx.input_mut(|input| input.count_and_consume_key(keys.modifiers, keys.logical_key))
        };
        let counted = all.into_iter().map(|command| (command.shortcuts().iter().map(count).sum::<usize>(), command));
        // Two presses within one frame, as on a busy machine, are two steps; of other commands they are one.
        let times = |(presses, command): (usize, Self)| {
            let is_step = matches!(command, Self::ZoomIn | Self::ZoomOut);
            std::iter::repeat_n(command, if is_step { presses } else { presses.min(1) })
        };
        counted.flat_map(times).collect()
    }
}

/// A shortcut with the names that stand on the keys of this system.
pub fn written(keys: &KeyboardShortcut, os: OperatingSystem) -> String {
    // The bundled fonts have no signs for the Mac's modifier keys.
    const NAMES: ModifierNames<'static> = ModifierNames::NAMES;
    let is_mac = matches!(os, OperatingSystem::Mac | OperatingSystem::IOS);
    let key = match keys.logical_key {
        Key::Escape => "Esc",
        Key::Comma => ",",
        Key::Plus => "+",
        Key::Equals => "=",
        Key::Minus => "-",
        other => other.name(),
    };
    let modifiers = NAMES.format(&keys.modifiers, is_mac);
    if modifiers.is_empty() { key.to_owned() } else { format!("{modifiers}{}{key}", NAMES.concat) }
}

/// The palette's lines for a query: commands, then one *Probe* and one *Show* line a target; best match first.
pub fn matching(query: &str, snapshot: &Snapshot, state: &UiState, uses: &Uses, tr: &Tr) -> Vec<Listed> {
    let mut lines: Vec<(i32, Listed)> = general(snapshot, state, tr)
        .chain(targets(&snapshot.board, tr))
        .chain(uses_of(&snapshot.board, uses, tr))
        .filter_map(|listed| Some((rank(query, &listed)?, listed)))
        .collect();
    lines.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    lines.into_iter().map(|(_, listed)| listed).collect()
}

/// A line's name counts; what it does helps those who look for another word, at the end of the list.
fn rank(query: &str, listed: &Listed) -> Option<i32> {
    const HELP_ONLY: i32 = -1000;
    score(query, &listed.label).or_else(|| Some(score_whole(query, &listed.help)? + HELP_ONLY))
}

fn general(snapshot: &Snapshot, state: &UiState, tr: &Tr) -> impl Iterator<Item = Listed> {
    Command::general()
        .into_iter()
        .filter(|command| !matches!(command, Command::Palette | Command::Back) && command.is_enabled(snapshot, state))
        .map(|command| Listed { label: command.label(tr), help: command.help(tr), command })
}

fn targets(board: &Board, tr: &Tr) -> impl Iterator<Item = Listed> {
    board.entries.iter().flat_map(|entry| {
        let id = &entry.target.id;
        [Command::Select(id.clone()), Command::Probe(id.clone())].map(|command| Listed {
            label: tr.with(
                &format!("ui-command-{}", command.name()),
                &args!("model" => entry.target.model.as_str(), "provider" => entry.target.provider.as_str()),
            ),
            help: command.help(tr),
            command,
        })
    })
}

/// One *Use* line for each target and each tool that can be told to use it.
fn uses_of(board: &Board, uses: &Uses, tr: &Tr) -> impl Iterator<Item = Listed> {
    let offered = board.entries.iter().filter_map(|entry| Some((entry, uses.get(&entry.target.id)?)));
    offered.flat_map(|(entry, offered)| {
        offered.tools.iter().map(|(seat, name)| {
            let command = Command::Switching(switching::Act::Plan(What::Use(seat.clone(), entry.target.id.clone())));
            let model = board.name_of(&entry.target.id);
            let label = tr.with("ui-command-use", &args!("model" => model, "tool" => name.as_str()));
            Listed { label, help: command.help(tr), command }
        })
    })
}

/// How well the words of `query` are found in `text`, in any order; `None` when one is not.
///
/// A word that stands there as it is counts more than letters that only come in its order, and the beginning of a word
/// more than its middle.
pub fn score(query: &str, text: &str) -> Option<i32> {
    let text: Vec<char> = text.to_lowercase().chars().collect();
    query.split_whitespace().map(|word| word_score(&word.to_lowercase().chars().collect::<Vec<_>>(), &text)).sum()
}

/// The same for words that stand there as they are, each at the beginning of a word.
fn score_whole(query: &str, text: &str) -> Option<i32> {
    let text = text.to_lowercase();
    let begins = |word: &str| {
        let word = word.to_lowercase();
        text.match_indices(&word).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric)).then_some(1)
    };
    query.split_whitespace().map(begins).sum()
}

fn word_score(word: &[char], text: &[char]) -> Option<i32> {
    let begins = |at: usize| at == 0 || !text[at - 1].is_alphanumeric();
    let whole = text.windows(word.len()).enumerate().filter(|(_, window)| *window == word);
    if let Some(best) = whole.map(|(at, _)| 10 + if begins(at) { 5 } else { 0 }).max() {
        return Some(best);
    }
    let (mut score, mut from) = (0, 0);
    for letter in word {
        let at = from + text[from..].iter().position(|other| other == letter)?;
        score += i32::from(begins(at));
        from = at + 1;
    }
    Some(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_share_a_shortcut_on_any_system() {
        for os in [OperatingSystem::Nix, OperatingSystem::Mac, OperatingSystem::Windows] {
            let mut seen = std::collections::BTreeMap::new();
            for command in Command::general() {
                for keys in command.shortcuts() {
                    let is_mac = os == OperatingSystem::Mac;
                    let written = keys.format(&ModifierNames::NAMES, is_mac);
                    if let Some(other) = seen.insert(written.clone(), command.name()) {
                        panic!("{written} is {other} and {} on {os:?}", command.name());
                    }
                    assert!(!["Ctrl+C", "Ctrl+V", "Ctrl+X", "Ctrl+A"].contains(&&*written));
                    let quits = command == Command::Background(background::Act::Quit);
                    assert!(quits || !["Ctrl+Q", "Cmd+Q"].contains(&&*written));
                }
            }
        }
    }

    #[test]
    fn two_presses_within_one_frame_are_two_steps_of_the_zoom_and_one_of_all_else() {
        for (key, command, times) in [(Key::Plus, Command::ZoomIn, 2), (Key::P, Command::TogglePause, 1)] {
            let press = |pressed| {
                let modifiers = Modifiers::COMMAND;
                egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
            };
            let events = [true, false, true, false].map(press).to_vec();
            let mut commands = Vec::new();
            let input = egui::RawInput { events, ..egui::RawInput::default() };
            let mut output = Context::default().run_ui(input, |ui| commands = Command::pressed(ui.ctx()));
            output.textures_delta.clear();
            assert_eq!(commands, vec![command; times]);
        }
    }

    #[test]
    fn every_rail_entry_has_its_digit() {
        for (screen, digit) in Screen::RAIL.iter().zip(1..) {
            assert_eq!(Command::Go(*screen).keys(OperatingSystem::Nix), format!("Ctrl+{digit}"));
            assert_eq!(Command::Go(*screen).keys(OperatingSystem::Mac), format!("Cmd+{digit}"));
        }
    }

    #[test]
    fn words_match_in_any_order_and_their_beginnings_win() {
        assert_eq!(score("xz", "Probe now"), None);
        assert_eq!(score("probe zz", "Probe now"), None);
        assert_eq!(score("", "Probe now"), Some(0));
        assert_eq!(score("luna probe", "Probe gpt-6-luna"), score("probe luna", "Probe gpt-6-luna"));
        assert!(score("zi", "Zoom in") > score("oi", "Zoom in"));
        assert!(score("sol", "Show gpt-5.6-sol") > score("sol", "Show other model"));
        assert!(score("in", "Zoom in") > score("in", "Begin"));
        assert!(score("模型", "显示模型").is_some());
    }
}
