//! Times as RFC 3339 in UTC with milliseconds, by arithmetic.

use jiff::Timestamp;

use crate::core::bucket::DAY_MS;

/// Spells times; remembers the day, which seldom changes from row to row.
pub(super) struct TimeText {
    day: i64,
    text: Vec<u8>,
}

impl Default for TimeText {
    fn default() -> Self {
        Self { day: i64::MIN, text: b"0000-00-00T00:00:00.000Z".to_vec() }
    }
}

impl TimeText {
    /// A time in milliseconds of Unix time.
    pub(super) fn spell(&mut self, at_ms: i64) -> &[u8] {
        let (day, ms) = (at_ms.div_euclid(DAY_MS), at_ms.rem_euclid(DAY_MS) as u32);
        if day != self.day {
            self.day = day;
            match civil(day) {
                (year @ 0..=9999, month, date) => {
                    self.text.clear();
                    self.text.extend(b"0000-00-00T00:00:00.000Z");
                    let year = year as u32;
                    put(&mut self.text, 0, year / 100);
                    put(&mut self.text, 2, year % 100);
                    put(&mut self.text, 5, month);
                    put(&mut self.text, 8, date);
                }
                _ => self.day = i64::MIN,
            }
        }
        if self.day == i64::MIN {
            // Years of another number of digits: seldom enough to be spelled the slow way.
            let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
            self.text.clear();
            self.text.extend(format!("{at:.3}").bytes());
            return &self.text;
        }
        let seconds = ms / 1000;
        put(&mut self.text, 11, seconds / 3600);
        put(&mut self.text, 14, seconds / 60 % 60);
        put(&mut self.text, 17, seconds % 60);
        self.text[20] = b'0' + (ms % 1000 / 100) as u8;
        put(&mut self.text, 21, ms % 100);
        &self.text
    }
}

/// Two digits.
fn put(text: &mut [u8], at: usize, number: u32) {
    text[at] = b'0' + (number / 10) as u8;
    text[at + 1] = b'0' + (number % 10) as u8;
}

/// Year, month and day of a day since 1970 in the Gregorian calendar. Years are counted from March, so that the leap day
/// ends one; 400 of them have 146,097 days.
const fn civil(day: i64) -> (i64, u32, u32) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let date = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month as u32, date as u32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(crate::properties::cases(256))]

        #[test]
        fn agrees_with_jiff(a in Timestamp::MIN.as_millisecond()..=Timestamp::MAX.as_millisecond(), b in -9_000_000_000_000i64..9_000_000_000_000) {
            let mut text = TimeText::default();
            for ms in [a, b, b + 1, a] {
                let at = Timestamp::from_millisecond(ms).expect("in range");
                prop_assert_eq!(std::str::from_utf8(text.spell(ms)).expect("ASCII"), format!("{at:.3}"));
            }
        }
    }
}
