//! The time limit over a dialogue.
//!
//! The limit is one for a check and for everything that was said since the check before it: reading a definition
//! can take as long as solving. What a command takes is counted from its arrival to its answer, so a client
//! may think as long as it likes. Questions about the last answer have the time of a check and are not counted.
//! When the time is used up, whatever says something is refused, and the next check answers `unknown`; then
//! the time starts anew.

use crate::util::clock::Instant;
use std::time::Duration;

/// What a command is to the time of the next check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It says something, and takes from the time.
    Said,
    /// It asks about the last answer.
    Question,
    /// It is the check.
    Check,
}

impl Part {
    pub(super) fn of(word: Option<&str>) -> Part {
        match word {
            Some(word) if word.starts_with("check-sat") => Part::Check,
            Some(word) if word.starts_with("get-") || word == "echo" => Part::Question,
            _ => Part::Said,
        }
    }
}

/// How much of the time is used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allowance {
    /// By the commands before the present one.
    spent: Duration,
    /// When the present command came.
    since: Option<Instant>,
    /// When the command before it was answered.
    last: Option<Instant>,
    /// Whether a command was refused for a limit since the last check.
    pub(super) complained: bool,
    /// Whether one was refused because the time is used up.
    pub(super) exhausted: bool,
}

impl Allowance {
    /// A command begins.
    pub(super) fn begin(&mut self) {
        self.since = Some(Instant::now());
    }

    /// It is answered.
    pub(super) fn end(&mut self, part: Part) {
        let now = Instant::now();
        let took = self.since.take().map_or(Duration::ZERO, |since| now.duration_since(since));
        match part {
            Part::Said => self.spent += took,
            Part::Question => {}
            Part::Check => *self = Allowance::default(),
        }
        self.last = Some(now);
    }

    /// Counts the time since the last answer, except for what was spent on waiting.
    pub(super) fn charge_reading(&mut self, waited: Duration) {
        if let Some(last) = self.last
            && !self.exhausted
        {
            self.spent += last.elapsed().saturating_sub(waited);
        }
    }

    /// What is left of a limit.
    pub(super) fn left(&self, limit: Duration) -> Duration {
        let now = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        limit.saturating_sub(self.spent + now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_and_what_was_said_before_it_share_the_time() {
        let second = Duration::from_secs(1);
        let mut allowance = Allowance { spent: second, ..Allowance::default() };
        allowance.begin();
        assert!(allowance.left(3 * second) <= 2 * second);
        allowance.end(Part::Said);
        assert_eq!(allowance.left(second), Duration::ZERO);
        let spent = allowance.spent;
        allowance.charge_reading(second);
        assert_eq!(allowance.spent, spent, "a client may take its time");
        std::thread::sleep(Duration::from_millis(2));
        allowance.charge_reading(Duration::from_millis(1));
        assert!(allowance.spent > spent, "reading counts");
        let before = allowance.left(3 * second);
        allowance.begin();
        allowance.end(Part::Question);
        assert_eq!(allowance.left(3 * second), before);
        allowance.begin();
        allowance.end(Part::Check);
        assert_eq!(allowance.left(second), second);
    }
}
