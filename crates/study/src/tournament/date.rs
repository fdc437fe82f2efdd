//! The date in saved games.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today in UTC, as saved games write it: `2026.01.31`.
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    day(since.as_secs() / 86_400)
}

/// The date `days` days after 1 January 1970. Years are counted from March, so that the leap day is the
/// last day of a year.
fn day(days: u64) -> String {
    /// From 1 March 0000 to 1 January 1970.
    const BEFORE: u64 = 719_468;
    const CENTURIES: u64 = 146_097;
    let days = days + BEFORE;
    let (four_centuries, day) = (days / CENTURIES, days % CENTURIES);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // March, April, … in 153 days for five months.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day:02}", four_centuries * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (20_484, "2026.01.31"),
            (47_540, "2100.02.28"),
            (47_541, "2100.03.01"),
        ] {
            assert_eq!(day(days), expected);
        }
        assert!(today().as_str() > "2024.01.01");
    }
}
