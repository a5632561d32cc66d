//! What the Switch screen says of small worlds.

use super::*;

#[test]
fn paths_are_short_only_below_the_home() {
    let home = ToolPath::new("/home/ada");
    for (path, expected) in [
        ("/home/ada/.codex/config.toml", "~/.codex/config.toml"),
        ("/home/ada", "~"),
        ("/home/adamant/x", "/home/adamant/x"),
        ("/etc/codex", "/etc/codex"),
    ] {
        assert_eq!(short(&ToolPath::new(path), &home), expected);
    }
}
