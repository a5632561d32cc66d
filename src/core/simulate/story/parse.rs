//! The text of a story.

use std::sync::Arc;
use std::time::Duration;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::{Act, Story};
use crate::core::alert::{About, AlertConfig, QuietHours, Usually};
use crate::core::limits::{Span, Window};
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::simulate::WorldDefaults;
use crate::core::target::{DailyCap, Probing, ProviderId, Role, Target, TargetId};

/// What is wrong with a story: the line's number from 1, and its text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {number} of the story is not understood: {text}")]
pub struct StoryError {
    /// From 1.
    pub number: usize,
    /// As written.
    pub text: String,
}

const ROOMY: DailyCap = DailyCap { requests: 100_000, tokens: 100_000_000 };

struct Parser {
    story: Story,
    date: Date,
    /// As they stand at this point of the text.
    targets: Vec<Arc<Target>>,
    config: AlertConfig,
}

impl Story {
    /// Reads a story.
    ///
    /// # Errors
    ///
    /// The first line that is not understood.
    pub fn parse(text: &str) -> Result<Self, StoryError> {
        let story = Self {
            targets: Vec::new(),
            config: AlertConfig::default(),
            zone: TimeZone::UTC,
            usual: Vec::new(),
            acts: Vec::new(),
            notices: Vec::new(),
        };
        let (targets, config) = (Vec::new(), AlertConfig::default());
        let mut parser = Parser { story, date: Date::constant(2026, 3, 2), targets, config };
        for (index, line) in text.lines().enumerate() {
            let words = line.split('#').next().unwrap_or_default().trim();
            if !words.is_empty() {
                parser.line(words).ok_or_else(|| StoryError { number: index + 1, text: line.to_owned() })?;
            }
        }
        parser.begin();
        // A setting of the clock begins a new stretch; within one, repeated lines are woven into the others.
        for stretch in parser.story.acts.chunk_by_mut(|_, (_, act)| !matches!(act, Act::Jump)) {
            stretch.sort_by_key(|(at, _)| *at);
        }
        Ok(parser.story)
    }
}

impl Parser {
    fn line(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["zone", name] => {
                self.story.zone = TimeZone::get(name).ok()?;
                self.config.zone = self.story.zone.clone();
            }
            ["day", date] => self.date = date.parse().ok()?,
            ["settings", ref settings @ ..] => self.settings(settings)?,
            ["target", id, provider, ref more @ ..] => self.targets.push(target(id, provider, more)?),
            ["usual", id, span, spells] => {
                let usually = Usually {
                    median: Duration::from_secs(seconds(span)?.try_into().ok()?),
                    spells: spells.parse().ok()?,
                };
                self.story.usual.push((id.into(), usually));
            }
            [time, ref rest @ ..] => self.at(time, rest)?,
            [] => {}
        }
        Some(())
    }

    /// What the story begins with is known once something happens.
    fn begin(&mut self) {
        if self.story.targets.is_empty() {
            if self.targets.is_empty() {
                let usual = [("sol", "near", "primary"), ("luna", "far", "backup"), ("vega", "third", "emergency")];
                self.targets.extend(usual.iter().filter_map(|(id, provider, role)| target(id, provider, &[role])));
            }
            self.story.targets.clone_from(&self.targets);
            self.story.config = self.config.clone();
        }
    }

    fn at(&mut self, time: &str, rest: &[&str]) -> Option<()> {
        if let Some((from, more)) = time.split_once("..") {
            let (to, every) = more.split_once('/')?;
            let (mut at, to, every) = (self.moment(from)?, self.moment(to)?, seconds(every)?);
            while at <= to {
                self.act(at, rest)?;
                at += SignedDuration::from_secs(every);
            }
            return Some(());
        }
        let at = self.moment(time)?;
        if rest.first() == Some(&">") {
            let clock = at.strftime("%H:%M:%S");
            self.story.notices.push(format!("{clock} {}", rest.join(" ")));
            return Some(());
        }
        self.act(at, rest)
    }

    fn act(&mut self, at: Timestamp, rest: &[&str]) -> Option<()> {
        self.begin();
        let act = match *rest {
            ["end"] => Act::End,
            ["restart"] => Act::Restart,
            ["pause"] => Act::Pause(true),
            ["resume"] => Act::Pause(false),
            ["sleep", "until", until] | ["clock", until] => {
                let until = self.moment(until)?;
                self.story.acts.push((at, Act::End));
                self.date = TimeZone::UTC.to_datetime(until).date();
                self.story.acts.push((until, Act::Jump));
                return Some(());
            }
            ["snooze", id, "until", until] => Act::Snooze(id.into(), self.moment(until)?),
            ["do-not-disturb", "until", until] => Act::DoNotDisturb(self.moment(until)?),
            ["settings", ref settings @ ..] => {
                self.settings(settings)?;
                Act::Configure(self.targets.clone(), self.config.clone())
            }
            ["chain", ref ids @ ..] => {
                self.chain(ids)?;
                Act::Configure(self.targets.clone(), self.config.clone())
            }
            ["window", provider, length, used, ref more @ ..] => {
                let resets_at = match *more {
                    [] => None,
                    ["resets", when] => Some(self.moment(when)?),
                    _ => return None,
                };
                let span = Span::Minutes(u32::try_from(seconds(length)? / 60).ok()?);
                let used_percent = used.strip_suffix('%')?.parse().ok()?;
                Act::Windows(ProviderId::from(provider), vec![Window { span, used_percent, resets_at, told_at: at }])
            }
            ["log", ids, what, ref more @ ..] => {
                let (what, when) = what.split_once('@').unwrap_or((what, ""));
                let seen = if when.is_empty() { at } else { self.moment(when)? };
                for id in self.ids(ids)? {
                    let sample = Sample { source: Source::ToolLog, ..self.sample(&id, seen, what, more)? };
                    self.story.acts.push((at, Act::Heard(sample)));
                }
                return Some(());
            }
            [ids, what, ref more @ ..] => {
                for id in self.ids(ids)? {
                    let sample = self.sample(&id, at, what, more)?;
                    self.story.acts.push((at, Act::Probed(sample)));
                }
                return Some(());
            }
            [] | [_] => return None,
        };
        self.story.acts.push((at, act));
        Some(())
    }

    fn ids(&self, ids: &str) -> Option<Vec<TargetId>> {
        let known: Vec<TargetId> = self.targets.iter().map(|target| target.id.clone()).collect();
        if ids == "all" {
            return Some(known);
        }
        ids.split(',').map(|id| known.iter().find(|known| known.as_str() == id).cloned()).collect()
    }

    fn sample(&self, target: &TargetId, at: Timestamp, what: &str, more: &[&str]) -> Option<Sample> {
        let (kind, scope, rule) = match what {
            "free" => (Kind::Available, Scope::Model, "ok"),
            "full" => (Kind::AtCapacity, Scope::Model, "full"),
            "fault" => (Kind::ServerError, Scope::Provider, "fault"),
            "timeout" => (Kind::Timeout, Scope::Provider, "timeout"),
            "rate-limit" => (Kind::RateLimited, Scope::Account, "rate"),
            "usage-limit" => (Kind::UsageLimit, Scope::Account, "usage"),
            "quota" => (Kind::QuotaExhausted, Scope::Account, "quota"),
            "auth" => (Kind::Auth, Scope::Account, "auth"),
            "network" => (Kind::Network, Scope::Local, "unreachable"),
            "portal" => (Kind::Network, Scope::Local, "captive-portal"),
            _ => return None,
        };
        let retry_after_s = match *more {
            [] => None,
            ["until", when] => Some(u32::try_from(self.moment(when)?.duration_since(at).as_secs()).ok()?),
            ["for", span] => Some(u32::try_from(seconds(span)?).ok()?),
            _ => return None,
        };
        Some(Sample {
            target: target.clone(),
            source: Source::Probe,
            at,
            kind,
            scope,
            http_status: None,
            connect_ms: None,
            first_token_ms: (kind == Kind::Available).then_some(800),
            total_ms: None,
            retry_after_s,
            rule: rule.into(),
        })
    }

    /// The targets in another order; the first is the primary, the others stand behind it.
    fn chain(&mut self, ids: &[&str]) -> Option<()> {
        let mut rest = std::mem::take(&mut self.targets);
        for (place, id) in ids.iter().enumerate() {
            let index = rest.iter().position(|target| target.id.as_str() == *id)?;
            let role = Some(if place == 0 { Role::Primary } else { Role::Backup });
            self.targets.push(Arc::new(Target { role, ..(*rest.remove(index)).clone() }));
        }
        self.targets.extend(rest.into_iter().map(|target| Arc::new(Target { role: None, ..(*target).clone() })));
        Some(())
    }

    /// `full=off`, `quiet=22:00-07:00,12:00-13:00`, `reminders=30m`, `about=chain` and the like.
    fn settings(&mut self, settings: &[&str]) -> Option<()> {
        for setting in settings {
            let (key, value) = setting.split_once('=')?;
            let is_on = value == "on";
            let config = &mut self.config;
            match key {
                "recovered" => config.recovered = is_on,
                "full" => config.full = is_on,
                "limits" => config.limits = is_on,
                "provider" => config.provider = is_on,
                "flapping" => config.flapping = is_on,
                "do-not-disturb" => config.do_not_disturb = is_on,
                "reminders" => {
                    config.reminders =
                        (value != "off").then_some(Duration::from_secs(seconds(value)?.try_into().ok()?));
                }
                "about" => config.about = About::ALL.iter().find(|(name, _)| *name == value)?.1,
                "quiet" if value == "off" => config.quiet.clear(),
                "quiet" => config.quiet = value.split(',').map(QuietHours::parse).collect::<Option<_>>()?,
                _ => return None,
            }
        }
        Some(())
    }

    /// A time of the story's day, `tomorrow` of it as `+1/07:00`, or a whole timestamp.
    fn moment(&self, text: &str) -> Option<Timestamp> {
        if let Ok(at) = text.parse::<Timestamp>() {
            return Some(at);
        }
        let (days, clock) = text.strip_prefix('+').and_then(|text| text.split_once('/')).unwrap_or(("0", text));
        let date = self.date.checked_add(jiff::Span::new().days(days.parse::<i64>().ok()?)).ok()?;
        let time: Time = clock.parse().ok()?;
        TimeZone::UTC.to_timestamp(date.to_datetime(time)).ok()
    }
}

fn target(id: &str, provider: &str, more: &[&str]) -> Option<Arc<Target>> {
    let defaults = WorldDefaults { cap: ROOMY, tokens_per_probe: 30 };
    let mut target = defaults.target(id.into(), Some(provider.into()), Role::Backup);
    for word in more {
        match *word {
            "primary" => target.role = Some(Role::Primary),
            "backup" => target.role = Some(Role::Backup),
            "emergency" => target.role = Some(Role::Emergency),
            "watched" => target.role = None,
            "unprobed" => target.probing = Probing::Never,
            _ => return None,
        }
    }
    Some(Arc::new(target))
}

/// `90s`, `10m`, `2h`, `7d` in seconds.
fn seconds(text: &str) -> Option<i64> {
    let unit = match text.chars().last()? {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return None,
    };
    Some(text[..text.len() - 1].parse::<i64>().ok()? * unit)
}
