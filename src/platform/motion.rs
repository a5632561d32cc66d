//! Whether the user asked the system for less motion.

#[cfg(target_os = "linux")]
pub use portal::{follow, watch};

use std::path::Path;

/// Tells whether the user asked the system for less motion. Read once, as the system's word of a change is not to be had
/// without code that this crate forbids (macOS: a notification of `NSWorkspace`; Windows: `WM_SETTINGCHANGE`).
#[cfg(not(target_os = "linux"))]
pub fn watch(_config: Option<&Path>, mut tell: impl FnMut(bool)) {
    #[cfg(target_os = "macos")]
    let said = super::processes::said("/usr/bin/defaults", &["read", "com.apple.universalaccess", "reduceMotion"])
        .map(|text| text.trim() == "1");
    #[cfg(windows)]
    let said =
        super::processes::said("reg", &["query", r"HKCU\Control Panel\Desktop\WindowMetrics", "/v", "MinAnimate"])
            .map(|text| is_off(&text));
    #[cfg(not(any(target_os = "macos", windows)))]
    let said: Option<bool> = None;
    if said == Some(true) {
        tell(true);
    }
}

/// Reads what `reg query` prints of the value that *Animate windows when minimizing and maximizing* writes (Windows; written
/// from the manual of `reg`, never run there).
#[cfg(any(test, windows))]
fn is_off(text: &str) -> bool {
    text.lines().filter_map(|line| line.split_once("REG_SZ")).any(|(_, data)| data.trim() == "0")
}

/// What the files of GTK and KDE say, which count where there is no portal: `gtk-enable-animations` in `settings.ini`
/// (docs.gtk.org, `GtkSettings`), `AnimationDurationFactor` in `kdeglobals` (developer.mozilla.org on
/// `prefers-reduced-motion`).
#[cfg(any(test, target_os = "linux"))]
fn is_in_files(config: &Path) -> bool {
    let files = [
        ("gtk-4.0/settings.ini", "gtk-enable-animations", &["0", "false"][..]),
        ("gtk-3.0/settings.ini", "gtk-enable-animations", &["0", "false"][..]),
        ("kdeglobals", "AnimationDurationFactor", &["0"][..]),
    ];
    files.into_iter().any(|(file, key, off)| {
        let text = std::fs::read_to_string(config.join(file)).unwrap_or_default();
        let mut pairs = text.lines().filter_map(|line| line.split_once('='));
        pairs.any(|(name, value)| name.trim() == key && off.contains(&value.trim().to_ascii_lowercase().as_str()))
    })
}

#[cfg(target_os = "linux")]
mod portal {
    use std::collections::HashMap;
    use std::path::Path;
    use std::time::Duration;

    use zbus::blocking::connection::Builder;
    use zbus::blocking::{Connection, Proxy};
    use zbus::zvariant::OwnedValue;

    /// How long the desktop may take for an answer.
    const PATIENCE: Duration = Duration::from_secs(5);
    /// What is asked for, and is then told of (`org.freedesktop.portal.Settings`): the standard key, and GNOME's own, which
    /// is older and which other desktops set too.
    const NAMESPACES: [&str; 2] = ["org.freedesktop.appearance", "org.gnome.desktop.interface"];

    /// Tells whether the user asked the desktop for less motion, at once where it is so, and whenever it changes. Waits for
    /// changes without waking up in between: to be called on a thread of its own.
    pub fn watch(config: Option<&Path>, mut tell: impl FnMut(bool)) {
        let is_in_files = config.is_some_and(super::is_in_files);
        if is_in_files {
            tell(true);
        }
        let bus = Builder::session().and_then(|builder| builder.method_timeout(PATIENCE).build());
        if let Err(error) = bus.and_then(|bus| follow(&bus, |is_wished| tell(is_wished || is_in_files))) {
            tracing::debug!(%error, "the desktop does not tell whether less motion is wished for");
        }
    }

    /// Asks a bus whether less motion is wished for, tells so when it is, and whenever that changes, until the connection ends.
    ///
    /// # Errors
    /// There is no settings portal on it, it is too old for what is asked, or says what cannot be read.
    pub fn follow(bus: &Connection, mut tell: impl FnMut(bool)) -> zbus::Result<()> {
        let portal = Proxy::new(
            bus,
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.Settings",
        )?;
        let changes = portal.receive_signal("SettingChanged")?;
        let mut told = false;
        let mut read = || -> zbus::Result<()> {
            let is_wished = is_wished(&portal.call("ReadAll", &(&NAMESPACES[..],))?);
            if is_wished != told {
                told = is_wished;
                tell(is_wished);
            }
            Ok(())
        };
        read()?;
        for change in changes {
            let body = change.body();
            let (namespace, _, _): (String, String, OwnedValue) = body.deserialize()?;
            if NAMESPACES.contains(&namespace.as_str()) {
                read()?;
            }
        }
        Ok(())
    }

    fn is_wished(settings: &HashMap<String, HashMap<String, OwnedValue>>) -> bool {
        let value = |namespace: &str, key: &str| settings.get(namespace)?.get(key);
        let reduced = value(NAMESPACES[0], "reduced-motion").and_then(|value| value.downcast_ref::<u32>().ok());
        let animated = value(NAMESPACES[1], "enable-animations").and_then(|value| value.downcast_ref::<bool>().ok());
        reduced == Some(1) || animated == Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_desktops_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let is_off = |file: &str, text: &str| {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            let said = is_in_files(dir.path());
            std::fs::remove_file(&path).unwrap();
            said
        };
        assert!(!is_in_files(dir.path()));
        assert!(is_off("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations = 0\n"));
        assert!(is_off("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=False\n"));
        assert!(!is_off("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=1\n"));
        assert!(is_off("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n"));
        assert!(!is_off("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n"));
        let queried =
            |data: &str| super::is_off(&format!("\r\nHKEY_CURRENT_USER\\x\r\n    MinAnimate    REG_SZ    {data}\r\n"));
        assert!(queried("0") && !queried("1"));
    }
}
