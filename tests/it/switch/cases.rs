//! `tests/fixtures/config-cases`: each is laid out at its logical places below a root, switched, compared byte for byte,
//! and taken back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde::Deserialize;
use serde_json::Value;
use vacancy::switch::tools;

#[derive(Deserialize)]
struct Case {
    tool: String,
    tool_version: Option<String>,
    platform: String,
    file: String,
    installs_at: String,
    switch_to: SwitchTo,
    context: Context,
    expect: Expect,
}

#[derive(Deserialize)]
struct SwitchTo {
    model: String,
    provider: Option<String>,
    alias: Option<String>,
}

#[derive(Deserialize)]
struct Context {
    cwd: Option<String>,
    trusted: Option<bool>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    other_files: BTreeMap<String, String>,
    #[serde(default)]
    exists: Vec<String>,
    #[serde(default)]
    fs: BTreeMap<String, Fs>,
}

#[derive(Deserialize)]
struct Fs {
    mode: Option<String>,
    symlink_to: Option<String>,
    #[serde(default, alias = "read_only")]
    readonly: bool,
}

#[derive(Deserialize)]
struct Expect {
    action: String,
    edited_file: Option<String>,
    splices: Vec<Splice>,
    #[serde(default)]
    position_is_free: bool,
    #[serde(default)]
    value_format_free: bool,
    warnings: Vec<String>,
    must_not_warn: Vec<String>,
}

#[derive(Deserialize)]
struct Splice {
    file: String,
    start: usize,
    end: usize,
    old: String,
    new: String,
}

/// A machine below a temporary folder.
struct Machine {
    dir: tempfile::TempDir,
    platform: String,
}

impl Machine {
    fn home(&self) -> &'static str {
        match self.platform.as_str() {
            "macos" => "/Users/ada",
            "windows" => r"C:\Users\ada",
            _ => "/home/ada",
        }
    }

    /// Where a logical place lies below the root.
    fn real(&self, place: &str) -> PathBuf {
        let place = match place.strip_prefix('~') {
            Some(below) => format!("{}{below}", self.home()),
            None => place
                .replace("%USERPROFILE%", self.home())
                .replace("%APPDATA%", &format!(r"{}\AppData\Roaming", self.home()))
                .replace("%LOCALAPPDATA%", &format!(r"{}\AppData\Local", self.home()))
                .replace("%ProgramData%", r"C:\ProgramData"),
        };
        let parts = place.split(['/', '\\']).filter(|part| !part.is_empty()).map(|part| part.trim_end_matches(':'));
        self.dir.path().join("root").join(parts.collect::<PathBuf>())
    }

    fn write(&self, place: &str, content: &[u8]) {
        let path = self.real(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vacancy"));
        command.args(["--data", self.dir.path().join("own").to_str().unwrap()]);
        command.args(["--root", self.dir.path().join("root").to_str().unwrap(), "--home", self.home()]);
        command.args(["--platform", &self.platform, "--lang", "en"]).args(args);
        command.env_clear().output().unwrap()
    }
}

/// Everything below a folder: what is a link, its rights, its bytes.
fn tree(folder: &Path) -> BTreeMap<PathBuf, (Option<PathBuf>, u32, Vec<u8>)> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let mode = fs::metadata(&path).unwrap().permissions().mode();
                all.insert(path.clone(), (fs::read_link(&path).ok(), mode, fs::read(&path).unwrap()));
            }
        }
    }
    all
}

fn lay_out(case: &Case, folder: &Path) -> Machine {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let machine = Machine { dir: tempfile::tempdir().unwrap(), platform: case.platform.clone() };
    fs::create_dir_all(machine.real("~")).unwrap();
    if let Some(cwd) = &case.context.cwd {
        fs::create_dir_all(machine.real(cwd)).unwrap();
    }
    let own = [(&case.installs_at, &case.file)];
    for (place, name) in case.context.other_files.iter().chain(own) {
        let content = fs::read(folder.join(name)).unwrap();
        let rules = case.context.fs.get(place);
        let Some(target) = rules.and_then(|rules| rules.symlink_to.as_deref()) else {
            machine.write(place, &content);
            continue;
        };
        machine.write(target, &content);
        let link = machine.real(place);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(machine.real(target), link).unwrap();
    }
    for place in &case.context.exists {
        match place.ends_with('/') || place.ends_with(".git") {
            true => fs::create_dir_all(machine.real(place)).unwrap(),
            false => machine.write(place, b""),
        }
    }
    for (place, rules) in &case.context.fs {
        let path = machine.real(place);
        if let Some(mode) = &rules.mode {
            let mode = u32::from_str_radix(mode, 8).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        if rules.readonly {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        }
    }
    machine
}

/// The faults of one case.
fn faults(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("case.json")).unwrap();
    let case: Case = serde_json::from_str(&text).unwrap();
    let raw: Value = serde_json::from_str(&text).unwrap();
    let machine = lay_out(&case, folder);
    let root = machine.dir.path().join("root");
    let before = tree(&root);

    let env_file = machine.dir.path().join("env");
    let line = |(name, value): (&String, &String)| format!("{name}='{value}'\n");
    fs::write(&env_file, case.context.env.iter().map(line).collect::<String>()).unwrap();
    let mut args = vec!["switch", &case.tool, &case.switch_to.model, "--yes", "--json"];
    args.extend(["--env-file", env_file.to_str().unwrap()]);
    let trusted = case.context.trusted.map(|trusted| trusted.to_string());
    let options = [
        ("--provider", &case.switch_to.provider),
        ("--alias", &case.switch_to.alias),
        ("--cwd", &case.context.cwd),
        ("--tool-version", &case.tool_version),
        ("--trusted", &trusted),
    ];
    for (name, value) in &options {
        args.extend(value.as_deref().map(|value| [*name, value]).into_iter().flatten());
    }
    if tools::find(&case.tool).is_some_and(|tool| tool.takes_file()) {
        args.extend(["--file", &case.installs_at]);
    }
    let output = machine.run(&args);
    let Ok(done) = serde_json::from_slice::<Value>(&output.stdout) else {
        return vec![format!("no JSON: {output:?}")];
    };

    let mut faults = Vec::new();
    let mut same = |what: &str, found: &Value, expected: &Value| {
        if found != expected {
            faults.push(format!("{what}: {found} instead of {expected}"));
        }
    };
    let expect = &raw["expect"];
    same("action", &done["action"], &expect["action"]);
    same("exit", &Value::from(output.status.code()), &Value::from(if case.expect.action == "edit" { 0 } else { 3 }));
    same("edited_keys", &done["edited_keys"], &expect["edited_keys"]);
    for (field, found) in [
        ("model_before", &done["before"]["model"]),
        ("provider_before", &done["before"]["provider"]),
        ("model_after", &done["after"]["model"]),
        ("provider_after", &done["after"]["provider"]),
        ("resolves_to", &done["after"]["resolves_to"]),
        ("model_after_outside_project", &done["after_outside_project"]["model"]),
        ("model_after_other_agents", &done["after_other_roles"]["model"]),
    ] {
        if let Some(expected) = expect.get(field) {
            same(field, found, expected);
        }
    }
    let codes: Vec<_> = done["warnings"].as_array().unwrap().iter().map(|warning| warning["code"].clone()).collect();
    let missing = case.expect.warnings.iter().filter(|code| !codes.contains(&Value::from(code.as_str())));
    faults.extend(missing.map(|code| format!("not warned: {code}")));
    let false_alarms = case.expect.must_not_warn.iter().filter(|code| codes.contains(&Value::from(code.as_str())));
    faults.extend(false_alarms.map(|code| format!("warned: {code}")));

    faults.extend(wrong_bytes(&case, folder, &machine, &before));
    if case.expect.action == "edit" {
        let undone = machine.run(&["undo", "--yes", "--json"]);
        if !undone.status.success() || tree(&root) != before {
            faults.push(format!("undo: {undone:?}"));
        }
    }
    faults
}

/// Compares every file with what the splices make of it; nothing else may have changed.
fn wrong_bytes(
    case: &Case,
    folder: &Path,
    machine: &Machine,
    before: &BTreeMap<PathBuf, (Option<PathBuf>, u32, Vec<u8>)>,
) -> Vec<String> {
    let after = tree(&machine.dir.path().join("root"));
    let edited: Vec<PathBuf> = case.expect.edited_file.iter().map(|_| machine.real(&case.installs_at)).collect();
    let real: Vec<PathBuf> = edited.iter().map(|path| fs::canonicalize(path).unwrap()).collect();
    let mut faults = Vec::new();
    for (path, was) in before {
        let Some(is) = after.get(path) else {
            faults.push(format!("{} is gone", path.display()));
            continue;
        };
        if (&is.0, is.1) != (&was.0, was.1) {
            faults.push(format!("{}: link or rights changed", path.display()));
        }
        if !edited.contains(path) && !real.contains(path) && is.2 != was.2 {
            faults.push(format!("{} was touched", path.display()));
        }
    }
    faults.extend(
        after.keys().filter(|path| !before.contains_key(*path)).map(|path| format!("{} is new", path.display())),
    );
    for path in &edited {
        let mut bytes = fs::read(folder.join(&case.file)).unwrap();
        for splice in case.expect.splices.iter().rev() {
            assert_eq!(splice.file, case.file);
            assert_eq!(&bytes[splice.start..splice.end], splice.old.as_bytes());
            bytes.splice(splice.start..splice.end, splice.new.bytes());
        }
        let found = fs::read(path).unwrap();
        // Where the case leaves the place or the spacing open, the same characters in any order and spacing will do.
        let loose = |bytes: &[u8]| {
            let mut kept: Vec<u8> = bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
            kept.sort_unstable();
            kept
        };
        let is_same = match case.expect.position_is_free || case.expect.value_format_free {
            true => loose(&found) == loose(&bytes),
            false => found == bytes,
        };
        if !is_same {
            faults.push(format!("bytes:\n{}\ninstead of\n{}", found.escape_ascii(), bytes.escape_ascii()));
        }
    }
    faults
}

#[test]
#[cfg(unix)]
fn the_handed_cases_come_out_as_they_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/config-cases");
    let mut folders: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    assert!(folders.len() >= 16);
    let mut all = Vec::new();
    for folder in &folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        all.extend(faults(folder).into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(all.is_empty(), "{} faults:\n  {}", all.len(), all.join("\n  "));
}
