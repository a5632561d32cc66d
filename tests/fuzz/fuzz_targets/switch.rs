//! Puts any file wherever a tool looks for one of its own, and plans a switch.
//!
//! An input is one byte for the tool, one for the places that get the file, and the file. Run it from the package's
//! folder:
//!
//! ```text
//! cargo +nightly fuzz run switch --fuzz-dir tests/fuzz
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use vacancy::core::platform::Platform;
use vacancy::edit::{apply, reversed};
use vacancy::switch::path::ToolPath;
use vacancy::switch::plan::{Action, plan};
use vacancy::switch::tool::{At, Home, Tool, Wanted};
use vacancy::switch::tools;
use vacancy::switch::world::{FileState, Files, Overlay, ToolFile, Vars, Versions, World};

fuzz_target!(|data: &[u8]| {
    let [tool, places, file @ ..] = data else { return };
    let tool = tools::ALL[usize::from(*tool) % tools::ALL.len()];
    let (home, cwd) = (ToolPath::new("/home/ada"), ToolPath::new("/srv/project"));
    let vars = Vars::complete();
    let mut files = Overlay::empty();
    // What is found in one round may name further files.
    for _ in 0..2 {
        let seen: Vec<ToolPath> = homes(tool, &home, &cwd, &vars, &files)
            .iter()
            .flat_map(|folder| {
                let at = At { world: world(&home, &cwd, &vars, &files), home: folder };
                tool.read(&at).files.into_iter().map(|seen| seen.path)
            })
            .collect();
        for (number, path) in seen.into_iter().enumerate() {
            if number >= 8 || places >> number & 1 == 1 {
                continue;
            }
            files.put(path, FileState::File(ToolFile::plain(file)));
        }
    }
    for folder in homes(tool, &home, &cwd, &vars, &files) {
        let at = At { world: world(&home, &cwd, &vars, &files), home: &folder };
        tool.is_present(&at);
        tool.endpoints(&at);
        let wanted = Wanted { model: "model-beta".to_owned(), ..Wanted::default() };
        let Action::Edit(edits) = plan(tool, &at, &wanted).action else { continue };
        for edit in edits {
            edit.diff();
            let Some(before) = &edit.before else { continue };
            assert_eq!(apply(before, &edit.splices).unwrap(), *edit.after);
            assert_eq!(apply(&edit.after, &reversed(&edit.splices)).unwrap(), **before);
        }
    }
});

fn world<'a>(home: &'a ToolPath, cwd: &'a ToolPath, vars: &'a Vars, files: &'a dyn Files) -> World<'a> {
    let (platform, versions) = (Platform::Linux, Versions::default());
    World { platform, home, cwd: Some(cwd), vars, files, versions, trust: Some(true) }
}

fn homes(tool: &dyn Tool, home: &ToolPath, cwd: &ToolPath, vars: &Vars, files: &dyn Files) -> Vec<Home> {
    let mut homes = tool.homes(&world(home, cwd, vars, files));
    if tool.takes_file() {
        homes.push(Home { path: cwd.join("named.yaml"), moved_by: None });
    }
    homes
}
