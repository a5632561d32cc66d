//! How Chinese is set: full-width signs beside Chinese characters, and no space between two of them.

use std::sync::LazyLock;

use regex::Regex;
use vacancy::wire::presets::Preset;

/// The first place where a text is not set so. What stands in backticks is code; a place in a
/// file is written as terminals know it; providers' names are their own.
pub fn fault(text: &str) -> Option<String> {
    static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"`[^`\n]*`|\.toml:\d+:\d+: ").unwrap());
    static FAULT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"[\p{Han}，。；：、（）“”] +[\p{Han}，。；：、（）“”]|[\p{Han}，。；：、（）“”] *[,;:()]|[,;:()] *[\p{Han}，。；：、（）“”]")
            .unwrap()
    });
    let mut text = CODE.replace_all(text, "`").into_owned();
    for preset in Preset::all().filter(|preset| !preset.name.is_ascii()) {
        text = text.replace(preset.name, "a");
    }
    FAULT.find(&text).map(|found| {
        let from = text[..found.start()].char_indices().rev().nth(12).map_or(0, |(at, _)| at);
        text[from..found.end()].to_owned()
    })
}

#[test]
fn what_is_not_set_so_is_found() {
    for wrong in
        ["满载, 已知", "满载; 已知", "原因:网络", "约 5 分钟 内", "（a） 可用", "上限 (每天)", "自 周一", "gpt: 可用"]
    {
        assert!(fault(wrong).is_some(), "{wrong}");
    }
    for right in ["满载，已知", "12:30 可用", "用 `a, b: c` 即可", "上限（每天 5 次）", "在 gpt-5 上", "a, b"]
    {
        assert_eq!(fault(right), None);
    }
}
