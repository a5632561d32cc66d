//! Who plays in the demo: invented models with plausible names, and how busy each of them is at which local hour.

use std::fmt::Write as _;
use std::sync::Arc;

use jiff::civil::Weekday;

use crate::core::target::{DailyCap, Dialect, ModelId, Probing, ProviderId, Role, Target, TargetId};

/// One model of the demo.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The target's id and the model's name.
    pub model: &'static str,
    /// The provider's id; it says that this is a demo.
    pub provider: &'static str,
    /// What the provider speaks.
    pub dialect: Dialect,
    /// Its place in the chain.
    pub role: Role,
    /// When it is full.
    pub rhythm: Rhythm,
    /// The usual time to its first token, in milliseconds.
    pub first_token_ms: u32,
    /// Its present, played in a loop.
    pub script: &'static Script,
}

/// When a model is full: a share of time by local hour of the week.
#[derive(Clone, Copy, Debug)]
pub struct Rhythm {
    /// The share at quiet hours, 0 to 1.
    pub base: f64,
    /// What comes on top.
    pub busy: &'static [Busy],
    /// Half of the outages are shorter than this, in minutes.
    pub median_mins: f64,
    /// How much their lengths differ: the standard deviation of the length's logarithm.
    pub spread: f64,
    /// Server errors that last for minutes, on average in a week.
    pub faults_weekly: f64,
    /// Times in which the user's own limit is reached, for minutes, on average in a week.
    pub limits_weekly: f64,
}

/// A busy time of day.
#[derive(Clone, Copy, Debug)]
pub struct Busy {
    /// On which days.
    pub days: Days,
    /// When it begins, in local hours.
    pub from: f64,
    /// When it ends, in local hours; after `from`.
    pub to: f64,
    /// The share of time that the model is full in the middle of it, 0 to 1.
    pub peak: f64,
}

/// Days of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Days {
    /// Monday to Friday.
    Work,
    /// Saturday and Sunday.
    Weekend,
    /// All seven.
    Every,
}

impl Days {
    const fn contains(self, day: Weekday) -> bool {
        let is_weekend = matches!(day, Weekday::Saturday | Weekday::Sunday);
        match self {
            Self::Work => !is_weekend,
            Self::Weekend => is_weekend,
            Self::Every => true,
        }
    }
}

impl Rhythm {
    /// The planted share of time, 0 to 0.9, that the model is full on this day at this local hour (0 to 24, with
    /// fractions).
    pub fn pressure(&self, day: Weekday, hour: f64) -> f64 {
        let busy = self.busy.iter().filter(|busy| busy.days.contains(day) && (busy.from..busy.to).contains(&hour));
        let extra: f64 = busy
            .map(|busy| {
                // A flat top between two slopes that take a quarter of the time each.
                let place = (hour - busy.from) / (busy.to - busy.from);
                busy.peak * (place.min(1.0 - place) * 4.0).min(1.0)
            })
            .sum();
        (self.base + extra).min(0.9)
    }
}

/// What a model does at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It answers.
    Free,
    /// It answers late.
    Slow,
    /// It has no room.
    Full,
    /// Its server breaks.
    Fault,
    /// The user's own limit of a minute is reached.
    Limited,
    /// The credit is used up.
    Spent,
}

/// The present of a model: states by second, in a loop.
#[derive(Clone, Copy, Debug)]
pub struct Script {
    /// The loop's length in seconds.
    pub period_s: u32,
    /// Each state with the second it begins at, the first at 0, in order.
    pub states: &'static [(u32, State)],
}

impl Script {
    /// The state at a second after the start.
    pub fn state(&self, second: u64) -> State {
        let second = u32::try_from(second % u64::from(self.period_s)).unwrap_or(0);
        self.states.iter().rev().find(|(from, _)| *from <= second).map_or(State::Free, |(_, state)| *state)
    }
}

/// The cast, in chain order.
pub const CAST: [Member; 6] = [
    Member {
        model: "gpt-5.6-sol",
        provider: "demo-plan",
        dialect: Dialect::OpenaiResponses,
        role: Role::Primary,
        rhythm: Rhythm {
            base: 0.02,
            busy: &[
                Busy { days: Days::Work, from: 13.0, to: 18.5, peak: 0.55 },
                Busy { days: Days::Work, from: 9.0, to: 12.0, peak: 0.18 },
                Busy { days: Days::Weekend, from: 15.0, to: 22.0, peak: 0.15 },
            ],
            median_mins: 24.0,
            spread: 0.7,
            faults_weekly: 0.7,
            limits_weekly: 0.0,
        },
        first_token_ms: 950,
        script: &Script { period_s: 300, states: &[(0, State::Free), (40, State::Full), (130, State::Free)] },
    },
    Member {
        model: "gpt-6-luna",
        provider: "demo-plan",
        dialect: Dialect::OpenaiResponses,
        role: Role::Backup,
        rhythm: Rhythm {
            base: 0.01,
            busy: &[Busy { days: Days::Work, from: 14.0, to: 17.5, peak: 0.22 }],
            median_mins: 12.0,
            spread: 0.6,
            faults_weekly: 0.5,
            limits_weekly: 0.0,
        },
        first_token_ms: 700,
        script: &Script { period_s: 420, states: &[(0, State::Free), (210, State::Full), (270, State::Free)] },
    },
    Member {
        model: "sonnet-5",
        provider: "demo-key",
        dialect: Dialect::AnthropicMessages,
        role: Role::Backup,
        rhythm: Rhythm {
            base: 0.015,
            busy: &[
                Busy { days: Days::Work, from: 16.0, to: 21.0, peak: 0.32 },
                Busy { days: Days::Weekend, from: 18.0, to: 22.0, peak: 0.12 },
            ],
            median_mins: 15.0,
            spread: 0.7,
            faults_weekly: 1.0,
            limits_weekly: 0.0,
        },
        first_token_ms: 1_300,
        script: &Script { period_s: 360, states: &[(0, State::Free), (90, State::Slow), (150, State::Free)] },
    },
    Member {
        model: "deepseek-v4",
        provider: "demo-cloud",
        dialect: Dialect::OpenaiChat,
        role: Role::Emergency,
        rhythm: Rhythm {
            base: 0.02,
            busy: &[
                Busy { days: Days::Work, from: 9.0, to: 11.5, peak: 0.28 },
                Busy { days: Days::Work, from: 14.0, to: 17.0, peak: 0.2 },
            ],
            median_mins: 18.0,
            spread: 0.8,
            faults_weekly: 1.2,
            limits_weekly: 9.0,
        },
        first_token_ms: 1_100,
        script: &Script { period_s: 330, states: &[(0, State::Limited), (75, State::Free)] },
    },
    Member {
        model: "gemini-4-flash",
        provider: "demo-studio",
        dialect: Dialect::Gemini,
        role: Role::Emergency,
        rhythm: Rhythm {
            base: 0.01,
            busy: &[Busy { days: Days::Every, from: 10.0, to: 15.0, peak: 0.14 }],
            median_mins: 9.0,
            spread: 0.6,
            faults_weekly: 3.0,
            limits_weekly: 0.0,
        },
        first_token_ms: 480,
        script: &Script { period_s: 500, states: &[(0, State::Free), (170, State::Fault), (235, State::Free)] },
    },
    Member {
        model: "qwen3-coder",
        provider: "demo-router",
        dialect: Dialect::OpenaiChat,
        role: Role::Emergency,
        rhythm: Rhythm {
            base: 0.03,
            busy: &[Busy { days: Days::Every, from: 20.0, to: 24.0, peak: 0.35 }],
            median_mins: 20.0,
            spread: 0.8,
            faults_weekly: 1.0,
            limits_weekly: 0.0,
        },
        first_token_ms: 1_600,
        script: &Script { period_s: 3_600, states: &[(0, State::Spent)] },
    },
];

/// Enough for a day of the demo's hurry.
const CAP: DailyCap = DailyCap { requests: 50_000, tokens: 5_000_000 };

impl Member {
    /// The target.
    pub fn target(&self) -> Target {
        Target {
            id: TargetId::from(self.model),
            provider: ProviderId::from(self.provider),
            vendor: None,
            model: ModelId::from(self.model),
            dialect: self.dialect,
            role: Some(self.role),
            probing: Probing::Scheduled,
            daily_cap: CAP,
            tokens_per_probe: 28,
            is_local: true,
        }
    }

    /// The path that the base URL of its dialect usually has.
    const fn base_path(&self) -> &'static str {
        match self.dialect {
            Dialect::OpenaiChat | Dialect::OpenaiResponses | Dialect::Generic => "/v1",
            Dialect::AnthropicMessages | Dialect::Gemini | Dialect::OllamaChat => "",
        }
    }
}

/// The targets in chain order.
pub fn targets() -> Vec<Arc<Target>> {
    CAST.iter().map(|member| Arc::new(member.target())).collect()
}

/// The demo's settings file, for a loopback provider at `address` (scheme, host and port).
pub fn settings_file(address: &str) -> String {
    let mut text = format!(
        "# Made by `vacancy demo` at each start; changes are lost, but for the looks. Your own settings are elsewhere.\n\n\
         [schedule]\nevery = \"8s\"\nslow_every = \"15s\"\n\
         target_cap = {{ requests = {requests}, tokens = {tokens} }}\n\
         provider_cap = {{ requests = {requests}, tokens = {tokens} }}\n",
        requests = CAP.requests,
        tokens = CAP.tokens,
    );
    let mut known: Vec<&str> = Vec::new();
    for member in &CAST {
        if !known.contains(&member.provider) {
            known.push(member.provider);
            write!(
                text,
                "\n[[provider]]\nid = \"{}\"\ndialect = \"{}\"\nbase_url = \"{address}{}\"\n",
                member.provider,
                member.dialect,
                member.base_path(),
            )
            .expect("a String takes every write");
        }
    }
    for member in &CAST {
        let role = match member.role {
            Role::Primary => "primary",
            Role::Backup => "backup",
            Role::Emergency => "emergency",
        };
        write!(
            text,
            "\n[[target]]\nid = \"{model}\"\nprovider = \"{}\"\nmodel = \"{model}\"\nrole = \"{role}\"\n",
            member.provider,
            model = member.model,
        )
        .expect("a String takes every write");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressure_is_a_share_and_highest_where_it_was_planted() {
        for member in &CAST {
            for day in [Weekday::Monday, Weekday::Saturday] {
                for step in 0..240 {
                    let pressure = member.rhythm.pressure(day, f64::from(step) / 10.0);
                    assert!((0.0..=0.9).contains(&pressure), "{} {day:?} {step}", member.model);
                }
            }
        }
        let primary = &CAST[0].rhythm;
        assert!(primary.pressure(Weekday::Tuesday, 15.5) > 0.5);
        assert!(primary.pressure(Weekday::Tuesday, 20.0) < 0.05);
        assert!(primary.pressure(Weekday::Sunday, 15.5) < 0.2);
    }

    #[test]
    fn the_primary_fills_within_a_minute_and_recovers_within_three() {
        let script = CAST[0].script;
        assert_eq!(script.state(0), State::Free);
        assert_eq!(script.state(45), State::Full);
        assert_eq!(script.state(131), State::Free);
        assert_eq!(script.state(345), State::Full, "it goes on in a loop");
    }
}
