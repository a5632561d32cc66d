//! Cases of tools that no file switches.

use super::Case;
use crate::core::platform::Platform;
use crate::switch::warning::Code;

#[test]
fn each_is_named_with_its_reason_and_left_alone() {
    for (tool, path, word) in [
        ("amp", "~/.config/amp/settings.json", "mode"),
        ("amp", "~/.config/amp/settings.jsonc", "mode"),
        ("roo", "~/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/x.json", "2026"),
    ] {
        let case = Case::new(tool).file(path, "{ \"amp.x\": 1 }");
        assert!(case.look(|tool, at| tool.is_present(at)), "{path}");
        let done = case.switch("b");
        assert_eq!(
            (done.refusal(), done.codes()),
            (Some("storage_not_in_file"), vec!["storage_not_in_file"]),
            "{path}"
        );
        assert_eq!((done.models(), done.text(path).as_str()), ((None, None), "{ \"amp.x\": 1 }"));
        assert!(done.message(Code::StorageNotInFile).contains(word), "{path}");
    }
}

#[test]
fn nothing_is_found_where_nothing_lies() {
    for tool in ["amp", "roo"] {
        for platform in [Platform::Linux, Platform::Macos, Platform::Windows] {
            let case = Case::new(tool).platform(platform);
            assert!(!case.look(|tool, at| tool.is_present(at)), "{tool}");
            assert_eq!(case.switch("b").refusal(), Some("storage_not_in_file"));
        }
    }
    let case = Case::new("amp").file("~/.config/amp/history.json", "{}");
    assert!(!case.look(|tool, at| tool.is_present(at)));
}
