//! The dialogs of Settings on a real file: chains, providers, limits, keys, rules, and where notices go.

use std::fs;

use egui::accesskit::Role;
use egui::{Key, Theme};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use vacancy::core::rules::Mode;
use vacancy::notify::config::Address;
use vacancy::notify::form::Form;
use vacancy::secrets::KeyRef;
use vacancy::settings::Settings;
use vacancy::ui::screens::settings::fields::Section;
use vacancy::ui::screens::settings::providers::KeyState;
use vacancy::ui::settings::{Ask, Told};
use vacancy::ui::state::Screen;

use super::{CHAINED, Home, chinese, click, english, open, type_into};

const LARGE: [f32; 2] = [1440.0, 900.0];

fn load(home: &Home) -> Settings {
    Settings::load(&home.amender.roots.settings_file()).unwrap()
}

#[test]
fn a_chain_is_added_for_a_tool_renamed_and_taken_out() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::Chains, english(), Theme::Dark, LARGE);
    click(&home, &mut harness, Role::Button, "Add a chain");
    harness.get_by_label_contains("Something that is needed is still empty");
    // Enter applies, once nothing is wrong.
    type_into(&home, &mut harness, "Name", "main", Key::Enter);
    harness.get_by_label_contains("is already on line");
    type_into(&home, &mut harness, "Name", "night", Key::Tab);
    harness.get_all_by_role_and_label(Role::Button, "Add a chain").last().unwrap().click();
    home.settle(&mut harness);
    assert_eq!(load(&home).chains[1].name, "night");
    assert_eq!(load(&home).chains[1].targets, ["luna".into(), "mini".into()]);
    open(&home, &mut harness, "night", "Rename…");
    type_into(&home, &mut harness, "Name", "late", Key::Enter);
    assert_eq!(load(&home).chains[1].name, "late");
    open(&home, &mut harness, "late", "Remove…");
    click(&home, &mut harness, Role::Button, "Remove");
    assert_eq!(home.text(), CHAINED);
}

#[test]
fn a_target_is_dragged_to_another_place_of_its_own_chain_alone() {
    let two = format!("{CHAINED}\n[[chain]]\nname = \"night\"\ntargets = [\"mini\", \"luna\"]\n");
    let home = Home::new(&two);
    let mut harness = home.harness_in(Section::Chains, english(), Theme::Dark, LARGE);
    let rows = |label: &str, harness: &egui_kittest::Harness<'_, super::Bench>| {
        harness.get_all_by_label(label).map(|node| node.rect()).collect::<Vec<_>>()
    };
    let drag = |harness: &mut egui_kittest::Harness<'_, super::Bench>, from: egui::Rect, to: egui::Rect| {
        let handle = egui::pos2(from.left() + 22.0, from.center().y);
        let button = |pos, pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        harness.event(egui::Event::PointerMoved(handle));
        harness.run();
        harness.event(button(handle, true));
        harness.run();
        for part in [0.3, 0.7, 1.0] {
            harness.event(egui::Event::PointerMoved(handle.lerp(to.center(), part)));
            harness.run();
        }
        harness.event(button(to.center(), false));
        home.settle(harness);
    };
    // Over another chain nothing happens.
    let (first, foreign) = (rows("1: gpt-6-luna", &harness)[0], rows("1: gpt-6-mini", &harness)[0]);
    drag(&mut harness, first, foreign);
    assert_eq!(home.text(), two);
    let second = rows("2: gpt-6-mini", &harness)[0];
    drag(&mut harness, first, second);
    assert_eq!(home.text(), two.replace("[ \"luna\",  \"mini\" ]", "[ \"mini\",  \"luna\" ]"));
}

#[test]
fn a_providers_way_key_and_limit_are_changed_with_each_mistake_beside_its_field() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::Providers, english(), Theme::Dark, LARGE);
    open(&home, &mut harness, "relay", "Address, key and limits…");
    type_into(&home, &mut harness, "Proxy", "nonsense", Key::Tab);
    harness.get_by_label_contains("`nonsense` is not an address");
    type_into(&home, &mut harness, "Requests a day, at most", "0", Key::Tab);
    harness.get_by_label_contains("a daily limit of 0 allows no probe at all");
    harness.get_by_label_contains("`nonsense` is not an address");
    type_into(&home, &mut harness, "Proxy", "socks5h://127.0.0.1:1080", Key::Tab);
    type_into(&home, &mut harness, "Requests a day, at most", "70", Key::Tab);
    type_into(&home, &mut harness, "Name of the variable, never the key itself", "OTHER_KEY", Key::Tab);
    type_into(&home, &mut harness, "Address", "http://127.0.0.1:8/v1", Key::Tab);
    click(&home, &mut harness, Role::Button, "Save");
    let settings = load(&home);
    let own = settings.provider(&"relay".into()).unwrap();
    assert_eq!(own.key, KeyRef::Env("OTHER_KEY".to_owned()));
    assert_eq!(own.route.proxy.as_deref(), Some("socks5h://127.0.0.1:1080"));
    assert_eq!((own.endpoint.base_url.port(), own.daily_cap.unwrap().requests), (Some(8), 70));
    // Emptied again, nothing of it is left.
    open(&home, &mut harness, "relay", "Address, key and limits…");
    type_into(&home, &mut harness, "Proxy", "", Key::Tab);
    harness.get_by_role_and_label(Role::TextInput, "Proxy").focus();
    harness.run();
    harness.key_press(Key::Backspace);
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    harness.key_press(Key::Backspace);
    harness.run();
    click(&home, &mut harness, Role::Button, "Save");
    assert_eq!(load(&home).provider(&"relay".into()).unwrap().route.proxy, None);
}

#[test]
fn a_targets_own_limit_is_shown_and_cleared() {
    let capped = CHAINED.replace("model = \"gpt-6-mini\"\n", "model = \"gpt-6-mini\"\ndaily_cap = 20 # few\n");
    let home = Home::new(&capped);
    let mut harness = home.harness_in(Section::Providers, english(), Theme::Dark, LARGE);
    open(&home, &mut harness, "gpt-6-mini", "Role, limit and price…");
    let field = harness.get_by_role_and_label(Role::TextInput, "Requests a day, at most");
    assert_eq!(field.accesskit_node().value().as_deref(), Some("20"));
    field.focus();
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    harness.key_press(Key::Backspace);
    harness.run();
    click(&home, &mut harness, Role::RadioButton, "On demand");
    click(&home, &mut harness, Role::Button, "Save");
    assert_eq!(load(&home).target(&"mini".into()).unwrap().daily_cap, Settings::default().schedule.target_cap);
    assert!(home.text().contains("probing = \"on-demand\"") && !home.text().contains("daily_cap"), "{}", home.text());
}

#[test]
fn a_key_is_looked_for_when_it_is_asked_for_and_never_shown() {
    const KEY: &str = "sk-test-4f9a8b7c6d5e4f3a2b1c";
    let home = Home::new("");
    let script = home.amender.roots.config.join("key.sh");
    fs::write(&script, format!("echo {KEY}\n")).unwrap();
    for (command, expected) in
        [(format!("\"sh\", \"{}\"", script.display()), true), ("\"sh\", \"-c\", \"exit 3\"".into(), false)]
    {
        fs::write(
            home.amender.roots.settings_file(),
            CHAINED.replace("{ env = \"RELAY_KEY\" }", &format!("{{ command = [{command}] }}")),
        )
        .unwrap();
        let mut harness = home.harness_in(Section::Providers, english(), Theme::Dark, LARGE);
        harness.get_by_label_contains("read at each probe");
        click(&home, &mut harness, Role::Button, "Look for the key of relay now");
        let state = harness.state().window.settings().looked.get(&"relay".into()).cloned().unwrap();
        assert_eq!(state == KeyState::Found, expected, "{state:?}");
        assert!(harness.query_by_label_contains(KEY).is_none());
        assert!(!format!("{:?}", harness.state().window.settings()).contains(KEY));
        let words = if expected { "Key from the command sh: found" } else { "Key from the command sh: " };
        harness.get_by_label_contains(words);
    }
    assert!(matches!(home.amender.answer(Ask::Key("gone".into())), Told::Key(_, KeyState::Needless)));
}

#[test]
fn a_rule_is_found_changed_and_shown_on_the_switch_screen() {
    for (tr, query) in [(english(), "failover"), (english(), "rule"), (english(), "[switch.TOOL]"), (chinese(), "规则")]
    {
        let home = Home::new(CHAINED);
        let mut harness = home.harness_in(Section::General, tr.clone(), Theme::Dark, LARGE);
        harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::F);
        harness.run();
        harness.get_all_by_role(Role::TextInput).find(|node| node.is_focused()).unwrap().type_text(query);
        harness.run();
        harness.get_by_label(&tr.text("settings-screen-rules-add"));
    }
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::Rules, english(), Theme::Dark, LARGE);
    click(&home, &mut harness, Role::Button, "Rule for a tool");
    click(&home, &mut harness, Role::Button, "Codex");
    harness.get_all_by_role_and_label(Role::RadioButton, "Ask").next().unwrap().click();
    home.settle(&mut harness);
    let hold = "Free for so long before it goes back, such as 20m";
    type_into(&home, &mut harness, hold, "soon", Key::Tab);
    harness.get_by_label_contains("`soon` is not a length of time");
    type_into(&home, &mut harness, hold, "45m", Key::Tab);
    click(&home, &mut harness, Role::Button, "Save");
    let rules = load(&home).switch_rules["codex"];
    assert_eq!((rules.rule.failover, rules.rule.back, rules.rule.hold.as_secs()), (Mode::Ask, Mode::Off, 45 * 60));
    assert!(home.text().starts_with(CHAINED));
    click(&home, &mut harness, Role::Button, "Show Codex in Switch");
    assert_eq!(harness.state().window.state.screen, Screen::Switch);
}

#[test]
fn a_hook_and_a_webhook_are_set_and_taken_out_and_a_secret_address_is_refused() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::Notices, english(), Theme::Dark, LARGE);
    click(&home, &mut harness, Role::Button, "Change Program for each notice");
    type_into(&home, &mut harness, "Program and arguments", "say 'it is free'", Key::Tab);
    type_into(&home, &mut harness, "At most, such as 10s", "1h", Key::Tab);
    harness.get_by_label_contains("`timeout` cannot be");
    type_into(&home, &mut harness, "At most, such as 10s", "5s", Key::Tab);
    click(&home, &mut harness, Role::Button, "Save");
    let hook = load(&home).notices.hook.unwrap();
    assert_eq!((hook.command, hook.timeout.as_secs()), (vec!["say".to_owned(), "it is free".to_owned()], 5));

    click(&home, &mut harness, Role::Button, "Change Webhook");
    click(&home, &mut harness, Role::RadioButton, "In the file");
    let open_address = "Address that is no secret";
    type_into(&home, &mut harness, open_address, "https://hooks.slack.com/services/T/B/x", Key::Tab);
    harness.get_by_label_contains("the address of a webhook is a secret");
    click(&home, &mut harness, Role::RadioButton, "Variable");
    type_into(&home, &mut harness, "Name of the variable, never the key itself", "MY_HOOK", Key::Tab);
    click(&home, &mut harness, Role::Button, "Save");
    let webhook = load(&home).notices.webhook.unwrap();
    assert_eq!((webhook.url, webhook.form), (Address::Kept(KeyRef::Env("MY_HOOK".to_owned())), Form::Json));
    for _ in 0..2 {
        harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
        home.settle(&mut harness);
    }
    assert_eq!(home.text(), CHAINED);
}

/// A click whose press and release come in one frame, as from a slow screen.
fn quick_click(harness: &mut egui_kittest::Harness<'_, super::Bench>, pos: egui::Pos2) {
    harness.event(egui::Event::PointerMoved(pos));
    harness.run();
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        harness.input_mut().events.push(egui::Event::PointerButton { pos, button, pressed, modifiers });
    }
    harness.run();
}

#[test]
fn the_list_of_presets_lies_above_its_dialog_whenever_it_is_opened() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::Providers, english(), Theme::Dark, LARGE);
    for time in 1..=3 {
        click(&home, &mut harness, Role::Button, "Add a provider");
        let button = harness.get_by_role_and_label(Role::ComboBox, "Provider").rect().center();
        quick_click(&mut harness, button);
        // What lies below the pointer is what a click reaches.
        let entry = harness.get_by_label("Anthropic").rect().center();
        quick_click(&mut harness, entry);
        let chosen = harness.state().window.settings().editor.as_ref().unwrap().typed.preset;
        assert_eq!(chosen, "anthropic", "opened the {time}. time");
        assert!(harness.query_by_label("Google Gemini").is_none(), "it closes when something is chosen");
        click(&home, &mut harness, Role::Button, "Cancel");
    }
}

#[test]
fn a_preset_is_searched_for_and_one_of_ones_own_is_given_by_its_address() {
    for (tr, add, provider, search, other, address, name, none, model) in [
        (
            english(),
            "Add a provider",
            "Provider",
            "Search providers",
            "Other (by address)",
            "Address",
            "Name",
            "None",
            "Model, as the provider calls it",
        ),
        (
            chinese(),
            "添加服务商",
            "服务商",
            "搜索服务商",
            "其他（按地址）",
            "地址",
            "名称",
            "无",
            "模型，按服务商的叫法",
        ),
    ] {
        let home = Home::new(CHAINED);
        let mut harness = home.harness_in(Section::Providers, tr, Theme::Dark, LARGE);
        click(&home, &mut harness, Role::Button, add);
        click(&home, &mut harness, Role::ComboBox, provider);
        let field = harness.get_by_role_and_label(Role::TextInput, search);
        assert!(field.is_focused(), "one types at once");
        field.type_text("moon");
        harness.run();
        assert!(harness.query_by_label("DeepSeek").is_none());
        harness.get_by_label(other);
        harness.key_press(Key::Enter);
        harness.run();
        let chosen = harness.state().window.settings().editor.as_ref().unwrap().typed.preset;
        assert!(chosen.starts_with("moonshot"), "{chosen}");

        // What no preset is found for is given by its address: the entry that is left is taken by Enter too.
        click(&home, &mut harness, Role::ComboBox, provider);
        harness.get_by_role_and_label(Role::TextInput, search).type_text("my own relay");
        harness.run();
        harness.get_by_label(other);
        harness.key_press(Key::Enter);
        home.settle(&mut harness);
        assert_eq!(harness.state().window.settings().editor.as_ref().unwrap().typed.preset, "");
        type_into(&home, &mut harness, address, "http://127.0.0.1:8123/v1", Key::Tab);
        type_into(&home, &mut harness, name, "mine", Key::Tab);
        type_into(&home, &mut harness, model, "own-1", Key::Tab);
        let api = harness.get_all_by_role(Role::ComboBox).last().unwrap();
        api.click();
        harness.run();
        harness.get_by_label_contains("Anthropic Messages").click();
        harness.run();
        click(&home, &mut harness, Role::RadioButton, none);
        harness.get_all_by_role_and_label(Role::Button, add).last().unwrap().click();
        home.settle(&mut harness);
        let settings = load(&home);
        let own = settings.provider(&"mine".into()).unwrap();
        assert_eq!((own.preset, own.endpoint.dialect.name()), (None, "anthropic-messages"), "{}", home.text());
        assert_eq!(own.endpoint.base_url.as_str(), "http://127.0.0.1:8123/v1");
        assert!(settings.target(&"mine/own-1".into()).is_some_and(|target| target.is_local));
    }
}

#[test]
fn what_is_never_probed_has_no_test_and_no_limit() {
    let plan = format!(
        "{CHAINED}\n[[target]]\nid = \"sonnet\"\nprovider = \"claude-code\"\nmodel = \"claude-sonnet-5\"\n\n\
        [[target]]\nid = \"still\"\nprovider = \"relay\"\nmodel = \"gpt-6-still\"\nprobing = \"never\"\n"
    );
    for (tr, test, never, cap) in [
        (english(), "Test {} now", "never asked, known from logs", "a day"),
        (chinese(), "立即测试 {}", "从不询问，由日志得知", "每天最多"),
    ] {
        let home = Home::new(&plan);
        let harness = home.harness_in(Section::Providers, tr, Theme::Dark, LARGE);
        let asked = [("gpt-6-luna", true), ("gpt-6-mini", true), ("claude-sonnet-5", false), ("gpt-6-still", false)];
        for (model, is_asked) in asked {
            let name = test.replace("{}", model);
            assert_eq!(harness.query_by_role_and_label(Role::Button, &name).is_some(), is_asked, "{model}");
        }
        assert_eq!(harness.query_all_by_label_contains(never).count(), 2);
        assert!(harness.query_all_by_label_contains(never).all(|node| {
            !node.accesskit_node().value().or_else(|| node.accesskit_node().label()).unwrap_or_default().contains(cap)
        }));
    }
}

#[test]
fn the_search_of_settings_keeps_its_width_whatever_was_shown_and_however_small_the_window_was() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::General, english(), Theme::Dark, LARGE);
    let width = |harness: &egui_kittest::Harness<'_, super::Bench>| {
        harness.get_by_role_and_label(Role::TextInput, "Search in settings").rect().width()
    };
    let first = width(&harness);
    assert!(first >= 200.0, "{first}");
    for screen in [Screen::Activity, Screen::Board, Screen::Switch, Screen::History] {
        harness.state_mut().window.state.screen = screen;
        harness.run();
        harness.state_mut().window.state.screen = Screen::Settings;
        harness.run();
        assert_eq!(width(&harness), first, "after {screen:?}");
    }
    harness.set_size(egui::vec2(560.0, 420.0));
    harness.run();
    harness.set_size(LARGE.into());
    harness.run();
    assert_eq!(width(&harness), first);
}

#[test]
fn a_change_of_the_language_is_told_in_the_new_one() {
    let home = Home::new(CHAINED);
    let mut harness = home.harness_in(Section::General, english(), Theme::Dark, LARGE);
    click(&home, &mut harness, Role::RadioButton, "Language: 简体中文");
    harness.get_by_label_contains("已保存：语言：简体中文");
    click(&home, &mut harness, Role::RadioButton, "主题：浅色");
    harness.get_by_label_contains("已保存：主题：浅色");
    click(&home, &mut harness, Role::CheckBox, "高对比度");
    harness.get_by_label_contains("已保存：高对比度：开");
}
