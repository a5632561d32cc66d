//! Lengths of time as people write them: `90s`, `10m`, `1h30m`, `2d`.

use std::time::Duration;

/// Reads a length of time of whole units, largest first; `None` for anything else, also for a bare number.
pub fn parse(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    let mut above = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let count: u64 = rest[..digits].parse().ok()?;
        rest = rest[digits..].trim_start();
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let millis = unit(&rest[..letters])?;
        if millis >= above {
            return None;
        }
        above = millis;
        total = total.checked_add(Duration::from_millis(count.checked_mul(millis)?))?;
        rest = rest[letters..].trim_start();
    }
    (above != u64::MAX).then_some(total)
}

/// Writes a length of time in the same form, with the units that it needs.
pub fn text(duration: Duration) -> String {
    let mut millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let mut out = String::new();
    for (name, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)] {
        if millis >= length {
            out.push_str(&format!("{}{name}", millis / length));
            millis %= length;
        }
    }
    if out.is_empty() { "0s".to_owned() } else { out }
}

/// Milliseconds of a unit.
fn unit(name: &str) -> Option<u64> {
    Some(match name {
        "ms" => 1,
        "s" | "sec" | "secs" => 1_000,
        "m" | "min" | "mins" => 60_000,
        "h" | "hour" | "hours" => 3_600_000,
        "d" | "day" | "days" => 86_400_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (given, seconds) in
            [("90s", 90), ("10m", 600), ("1h30m", 5_400), ("1h 30 min", 5_400), ("2d", 172_800), ("0s", 0)]
        {
            assert_eq!(parse(given), Some(Duration::from_secs(seconds)), "{given}");
        }
        for bad in [
            "",
            "10",
            "m",
            "-5m",
            "1.5h",
            "10 parsecs",
            "30m1h",
            "5m5m",
            "99999999999999999999s",
            "18446744073709551615d",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn text_reads_back() {
        for millis in [0, 1, 999, 1_000, 61_001, 3_600_000, 90_061_001] {
            let duration = Duration::from_millis(millis);
            assert_eq!(parse(&text(duration)), Some(duration));
        }
    }
}
