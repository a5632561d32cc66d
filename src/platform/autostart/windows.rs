//! Windows: a value of the user's `Run` key for the window, a task for the record alone. Written from the manuals of `reg`
//! and `schtasks`; the forms are tested here, they never ran there.

use super::launchd::escaped;
use super::{Command, State};

/// What Windows starts with the session.
pub(super) const RUN: &str = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run";
/// Where the Task Manager keeps what the user switched off there.
pub(super) const APPROVED: &str = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run";
/// Our value in both.
pub(super) const VALUE: &str = "Vacancy";
/// The task's name.
pub(super) const TASK: &str = "Vacancy watch";

/// The command as one line, by the rules of `CommandLineToArgvW`.
pub(super) fn line(command: &Command) -> String {
    let mut line = word(&command.program);
    for argument in command.arguments() {
        line.push(' ');
        line.push_str(&word(&argument));
    }
    line
}

fn word(word: &str) -> String {
    if !word.is_empty() && !word.contains([' ', '\t', '"']) {
        return word.to_owned();
    }
    let mut quoted = String::from('"');
    let mut slashes = 0;
    for character in word.chars() {
        match character {
            '\\' => slashes += 1,
            // Backslashes before a quotation mark count double.
            '"' => quoted.push_str(&"\\".repeat(slashes + 1)),
            _ => {}
        }
        if character != '\\' {
            slashes = 0;
        }
        quoted.push(character);
    }
    quoted.push_str(&"\\".repeat(slashes));
    quoted.push('"');
    quoted
}

/// The data of a value in what `reg query KEY /v NAME` prints.
pub(super) fn queried(said: &str) -> Option<String> {
    let line = said.lines().map(str::trim_start).find(|line| line.starts_with(VALUE))?;
    let (_, data) = line.split_once("REG_SZ").or_else(|| line.split_once("REG_BINARY"))?;
    Some(data.trim().to_owned())
}

/// What the value does; `approved` is the Task Manager's, whose first byte is odd where the user switched it off.
pub(super) fn state(found: Option<&str>, approved: Option<&str>, wanted: &str) -> State {
    let is_off =
        approved.and_then(|data| u8::from_str_radix(data.get(..2)?, 16).ok()).is_some_and(|byte| byte & 1 == 1);
    match found {
        None => State::Off,
        Some(_) if is_off => State::Disabled,
        Some(found) if found == wanted => State::On,
        Some(found) if found.to_ascii_lowercase().contains("vacancy") => State::Moved,
        Some(_) => State::Edited,
    }
}

/// The task's description, for `schtasks /create /xml`.
pub(super) fn task(command: &Command) -> String {
    let arguments: Vec<String> = command.arguments().map(|argument| word(&argument)).collect();
    format!(
        "<?xml version=\"1.0\"?>\n\
         <Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\n\
         \x20 <RegistrationInfo>\n\
         \x20   <Description>Keeps Vacancy's record of which model is free, without a window.</Description>\n\
         \x20 </RegistrationInfo>\n\
         \x20 <Triggers>\n    <LogonTrigger>\n      <Enabled>true</Enabled>\n    </LogonTrigger>\n  </Triggers>\n\
         \x20 <Principals>\n    <Principal id=\"Author\">\n      <LogonType>InteractiveToken</LogonType>\n\
         \x20     <RunLevel>LeastPrivilege</RunLevel>\n    </Principal>\n  </Principals>\n\
         \x20 <Settings>\n\
         \x20   <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\n\
         \x20   <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\n\
         \x20   <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>\n\
         \x20   <RestartOnFailure>\n      <Interval>PT1M</Interval>\n      <Count>3</Count>\n    </RestartOnFailure>\n\
         \x20   <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>\n\
         \x20   <Hidden>true</Hidden>\n\
         \x20 </Settings>\n\
         \x20 <Actions Context=\"Author\">\n    <Exec>\n      <Command>{}</Command>\n      <Arguments>{}</Arguments>\n\
         \x20   </Exec>\n  </Actions>\n\
         </Task>\n",
        escaped(&command.program),
        escaped(&arguments.join(" "))
    )
}

/// The encoding that `schtasks` reads without being told.
pub(super) fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{What, xml_faults};
    use super::*;

    fn command(program: &str, data: Option<&str>, what: What) -> Command {
        Command { program: program.into(), data: data.map(Into::into), what }
    }

    #[test]
    fn a_folder_with_spaces_is_one_word() {
        let line = |program, data| line(&command(program, data, What::Window));
        assert_eq!(line(r"C:\vacancy.exe", None), r"C:\vacancy.exe --minimized");
        assert_eq!(line(r"C:\Program Files\vacancy.exe", None), r#""C:\Program Files\vacancy.exe" --minimized"#);
        // A backslash before the closing quotation mark must not take it away.
        assert_eq!(line("v", Some(r"D:\my data\")), r#"v --data "D:\my data\\" --minimized"#);
        assert_eq!(line("v", Some(r#"a"b"#)), r#"v --data "a\"b" --minimized"#);
    }

    #[test]
    fn the_registry_s_answer_is_read() {
        let said = "\r\nHKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\r\n    Vacancy    REG_SZ    \"C:\\a b\\vacancy.exe\" --minimized\r\n\r\n";
        let wanted = r#""C:\a b\vacancy.exe" --minimized"#;
        assert_eq!(queried(said).as_deref(), Some(wanted));
        assert_eq!(queried("ERROR: The system was unable to find the specified registry key or value.\r\n"), None);
        let off = queried("\r\nHKEY\r\n    Vacancy    REG_BINARY    0300000012AB\r\n");
        assert_eq!(state(Some(wanted), None, wanted), State::On);
        assert_eq!(state(Some(wanted), Some("020000000000"), wanted), State::On);
        assert_eq!(state(Some(wanted), off.as_deref(), wanted), State::Disabled);
        assert_eq!(state(Some(r"D:\Vacancy.exe"), None, wanted), State::Moved);
        assert_eq!(state(Some("notepad"), None, wanted), State::Edited);
        assert_eq!(state(None, None, wanted), State::Off);
    }

    #[test]
    fn the_task_is_well_formed_and_the_shipped_one_is_this_one() {
        let text = task(&command(r"C:\A & B\vacancy.exe", Some(r"D:\x y"), What::Watch));
        assert_eq!(xml_faults(&text), None, "{text}");
        assert!(text.contains(r"<Command>C:\A &amp; B\vacancy.exe</Command>"), "{text}");
        assert!(text.contains(r#"<Arguments>--data "D:\x y" watch</Arguments>"#), "{text}");
        let shipped = include_str!("../../../packaging/windows/vacancy-watch.xml");
        assert_eq!(shipped, task(&command(r"%LOCALAPPDATA%\Programs\Vacancy\vacancy.exe", None, What::Watch)));
        assert_eq!(utf16("<é"), [0xFF, 0xFE, 0x3C, 0, 0xE9, 0]);
    }
}
