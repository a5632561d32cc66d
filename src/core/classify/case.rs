//! Holds the rules against one exchange: the error inside the answer, a page, the words of a failed connection, or the shape
//! of an answer without an error.

use std::borrow::Cow;

use crate::core::classify::evidence::{ANY_LEVEL, Evidence, fold};
use crate::core::classify::matcher::{Facts, Found, Mark, Matcher};
use crate::core::classify::rule::{Rule, Stage};
use crate::core::classify::status::{effective_status, told_codes, told_status};
use crate::core::classify::verdict::{is_refusal, plain, set_wait, shape, summary, usual_scope};
use crate::core::classify::{BODY, Origin, PAGES, RuleSet, TRANSPORT, headers, hint, page, redact, user};
use crate::core::exchange::{BODY_LIMIT, End, Exchange, Failure, Phase};
use crate::core::outcome::{Kind, Outcome, Scope};
use crate::core::reply::scan::Doc;
use crate::core::reply::{Finish, Format, Reply, ReplyReader};

/// An exchange with all that it is judged by.
pub(super) struct Case<'a> {
    pub(super) origin: Origin<'a>,
    pub(super) exchange: &'a Exchange,
    pub(super) rules: &'a RuleSet,
    pub(super) provider: Option<&'a str>,
}

/// How a rule's verdict is completed.
struct Verdict<'a> {
    rule: &'static Rule,
    matcher: &'static Matcher,
    found: &'a Found,
    evidence: &'a Evidence,
}

impl Case<'_> {
    fn facts(&self, status: u16) -> Facts<'_> {
        Facts { status, provider: self.provider }
    }

    /// There was no status line.
    pub(super) fn failed(&self, failure: &Failure) -> Outcome {
        let text = failure.text.to_lowercase();
        let mut evidence = Evidence::new();
        evidence.add_text(0, &failure.text);
        let page = Page { text: &failure.text, lower: &text };
        if let Some(outcome) = self.by_user(&evidence, Some(page), 0) {
            return outcome;
        }
        let phase = match failure.phase {
            None => "",
            Some(Phase::Build) => "phase:build",
            Some(Phase::Dns) => "phase:dns",
            Some(Phase::Connect) => "phase:connect",
            Some(Phase::Tls) => "phase:tls",
            Some(Phase::FirstByte) => "phase:first-byte",
        };
        let matcher = &*TRANSPORT;
        let mut found = matcher.nothing();
        matcher.search(&text, 0, &mut found);
        let names = [(phase, true)].into_iter().filter(|(phase, _)| !phase.is_empty());
        match matcher.best((Stage::Transport, Stage::Transport), names, &found, self.facts(0)) {
            Some((_, rule)) => {
                let mut outcome = plain(rule.id, rule.kind, rule.scope);
                set_wait(&mut outcome, rule.wait);
                outcome.excerpt = redact::excerpt(&failure.text);
                outcome
            }
            None => plain("unrecognized", Kind::Unrecognized, Scope::Provider),
        }
    }

    /// There is only what a program printed.
    pub(super) fn printed(&self, text: &str) -> Outcome {
        let mut evidence = Evidence::new();
        evidence.add_text(0, text);
        let status = told_status(evidence.prose()).unwrap_or(0);
        if let Some(outcome) = self.by_user(&evidence, None, status) {
            return outcome;
        }
        let by_rule = self.search_body(&evidence, status);
        if let Some((stage, rule, found)) = &by_rule
            && (*stage < Stage::Generic || evidence.deepest > 0)
        {
            return self.complete(&Verdict { rule, matcher: &BODY, found, evidence: &evidence });
        }
        if status == 0 {
            let lost = self.failed(&Failure { phase: None, text: text.to_owned() });
            if lost.rule != "no-answer" {
                return lost;
            }
        }
        match &by_rule {
            Some((_, rule, found)) => self.complete(&Verdict { rule, matcher: &BODY, found, evidence: &evidence }),
            None => Outcome { excerpt: summary(&evidence), ..shape("unrecognized") },
        }
    }

    /// There was a status line, or at least a body.
    pub(super) fn answered(&self) -> Outcome {
        let status = self.exchange.status.unwrap_or(0);
        let mut reader = ReplyReader::new();
        reader.push(&self.exchange.body);
        let reply = reader.finish();
        let is_success = (200..300).contains(&status) || status == 0;
        if is_success && reply.error.is_none() && !reply.progress.error {
            self.success(&reply, status)
        } else {
            self.error(&reply, status)
        }
    }

    /// No error was found in an answer with a success status.
    fn success(&self, reply: &Reply, status: u16) -> Outcome {
        let is_stalled = matches!(self.exchange.end, End::Stalled);
        if reply.progress.output {
            return match &reply.short_text {
                Some(text) if is_refusal(text) => {
                    // The sentence is the provider's, so showing it reveals nothing of an answer.
                    Outcome { excerpt: redact::excerpt(text), ..shape("refusal-as-answer") }
                }
                _ => shape("answered"),
            };
        }
        match reply.finish {
            Some(Finish::Filtered) => return shape("answer-filtered"),
            Some(Finish::Failed) => return shape("finish-failed"),
            Some(Finish::Length) => return shape("answered"),
            Some(Finish::Stop) if reply.has_usage => return shape("answered"),
            _ => {}
        }
        if reply.progress.terminal && reply.has_usage {
            return shape("answered");
        }
        match reply.format {
            Format::Text => return self.text_body(status),
            Format::Empty if is_stalled => return shape("stalled"),
            Format::Empty => return shape(if matches!(self.exchange.end, End::Cut) { "cut" } else { "empty-body" }),
            Format::Json | Format::Events => {}
        }
        match self.exchange.end {
            End::Stalled => shape("stalled"),
            End::Cut => shape("cut"),
            _ if reply.format == Format::Events && reply.values == 0 => shape("only-keep-alive"),
            _ if reply.format == Format::Events || reply.is_answer => shape("ended-before-output"),
            _ => shape("unrecognized"),
        }
    }

    /// An error status, or an error inside of a success.
    fn error(&self, reply: &Reply, status: u16) -> Outcome {
        if reply.format == Format::Text && reply.error.is_none() {
            return self.text_body(status);
        }
        let mut evidence = Evidence::new();
        headers::add(self.exchange, &mut evidence);
        if let Some(text) = reply.error.as_ref().or(reply.first.as_ref())
            && let Some(doc) = Doc::scan(text.trim_start())
        {
            evidence.add_value(0, doc.root());
        }
        if !reply.stray.is_empty() {
            evidence.add_text(0, &reply.stray);
        }
        if reply.format == Format::Empty && status >= 500 && matches!(self.exchange.end, End::Stalled) {
            return shape("stalled");
        }
        if let Some(outcome) = self.by_body(&evidence, status) {
            return outcome;
        }
        if reply.finish == Some(Finish::Failed) {
            return Outcome { excerpt: summary(&evidence), ..shape("finish-failed") };
        }
        if evidence.sentences.is_empty() && reply.progress.error {
            return Outcome { excerpt: summary(&evidence), ..shape("response-failed") };
        }
        Outcome { excerpt: summary(&evidence), ..shape("unrecognized") }
    }

    /// A body that is neither JSON nor an event stream.
    fn text_body(&self, status: u16) -> Outcome {
        let body = &self.exchange.body[..self.exchange.body.len().min(BODY_LIMIT)];
        let text = String::from_utf8_lossy(&body[..body.len().min(page::PAGE_LIMIT)]);
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.starts_with('<')
            && let Some(code) = page::element(text, "Code")
        {
            let mut evidence = Evidence::new();
            headers::add(self.exchange, &mut evidence);
            evidence.add_name(0, true, "", code);
            evidence.add_text(0, page::element(text, "Message").unwrap_or_default());
            if let Some(outcome) = self.by_body(&evidence, status) {
                return outcome;
            }
        }
        let is_page = text.starts_with('<');
        // A pasted page has no status line, but its title mostly tells the status.
        let status = if status == 0 { told_status(&page::headline(text)).unwrap_or(200) } else { status };
        let mut evidence = Evidence::new();
        headers::add(self.exchange, &mut evidence);
        if is_page {
            evidence.add_text(0, &page::headline(text));
        } else {
            evidence.add_text(0, text);
        }
        let lower = text.to_lowercase();
        if let Some(outcome) = self.by_user(&evidence, Some(Page { text, lower: &lower }), status) {
            return outcome;
        }
        let matcher = &*PAGES;
        let mut found = matcher.nothing();
        matcher.search(text, 0, &mut found);
        let is_garbage = text.chars().take(200).any(|symbol| symbol == '\u{fffd}' || symbol == '\0');
        let names = || evidence.names.iter().map(|name| (evidence.name(name), name.is_code));
        let by_page = |status| matcher.best((Stage::Page, Stage::Page), names(), &found, self.facts(status));
        let page_rule = by_page(status).map(|(_, rule)| rule);
        // Plain text may well be an API's: only what surely is no API comes before its words.
        let is_sure = is_page || page_rule.is_some_and(|rule| !rule.texts.is_empty() && !rule.id.starts_with("page-"));
        if !is_sure
            && !is_garbage
            && let Some((stage, rule, found)) = self.search_body(&evidence, status)
            && stage < Stage::Status
        {
            return self.complete(&Verdict { rule, matcher: &BODY, found: &found, evidence: &evidence });
        }
        let is_bare_json = serde_json::from_str::<serde::de::IgnoredAny>(text.trim()).is_ok();
        match page_rule {
            Some(rule) if !((is_garbage || is_bare_json) && (200..300).contains(&status)) => {
                self.complete(&Verdict { rule, matcher, found: &found, evidence: &evidence })
            }
            _ => shape("unrecognized"),
        }
    }

    /// Judges an error by the rules for bodies.
    fn by_body(&self, evidence: &Evidence, status: u16) -> Option<Outcome> {
        if let Some(outcome) = self.by_user(evidence, None, status) {
            return Some(outcome);
        }
        let (_, rule, found) = self.search_body(evidence, status)?;
        Some(self.complete(&Verdict { rule, matcher: &BODY, found: &found, evidence }))
    }

    /// Finds the best rule for an error, the innermost error first.
    fn search_body(&self, evidence: &Evidence, outer: u16) -> Option<(Stage, &'static Rule, Found)> {
        let matcher = &*BODY;
        let status = effective_status(outer, evidence);
        let facts = self.facts(status);
        let names_at = |level: u8| {
            evidence
                .names
                .iter()
                .filter(move |name| name.level == level || name.level == ANY_LEVEL)
                .map(|name| (evidence.name(name), name.is_code))
        };
        let found_at = |level: Option<u8>| {
            let mut found = matcher.nothing();
            for at in evidence.sentences.iter().filter(|at| level.is_none_or(|level| at.level == level)) {
                matcher.search(evidence.sentence(at), at.at.start, &mut found);
            }
            found
        };
        let mut outermost = None;
        for level in (0..=evidence.deepest).rev() {
            let found = found_at(Some(level));
            if let Some((stage, rule)) = matcher.best((Stage::First, Stage::Generic), names_at(level), &found, facts) {
                return Some((stage, rule, found));
            }
            outermost = Some(found);
        }
        // Codes that stand in the text itself: `insufficient_quota: ...`, `LLM error 1310: ...`.
        let told: Vec<String> = told_codes(evidence.prose()).map(fold).collect();
        let told_names = || told.iter().map(|name| (name.as_str(), false));
        if let Some((stage, rule)) = matcher.best((Stage::First, Stage::Name), told_names(), &matcher.nothing(), facts)
        {
            return Some((stage, rule, found_at(None)));
        }
        let found = if evidence.deepest == 0 { outermost.unwrap_or_else(|| matcher.nothing()) } else { found_at(None) };
        for level in (0..=evidence.deepest).rev() {
            if let Some((stage, rule)) =
                matcher.best((Stage::WeakName, Stage::WeakName), names_at(level), &found, facts)
            {
                return Some((stage, rule, found));
            }
        }
        if let Some((stage, rule)) = matcher.best((Stage::WeakName, Stage::WeakName), told_names(), &found, facts) {
            return Some((stage, rule, found));
        }
        let told = if status == 0 { told_status(evidence.prose()).unwrap_or(0) } else { status };
        let (stage, rule) =
            matcher.best((Stage::Status, Stage::Status), std::iter::empty(), &found, self.facts(told))?;
        Some((stage, rule, found))
    }

    /// Completes a rule's verdict: scope, wait, excerpt, daily windows.
    fn complete(&self, verdict: &Verdict<'_>) -> Outcome {
        let Verdict { rule, matcher, found, evidence } = verdict;
        let mut outcome = plain(rule.id, rule.kind, rule.scope);
        if rule.model_if_named && matcher.is_marked(Mark::Model, found) {
            outcome.scope = Scope::Model;
        }
        set_wait(&mut outcome, rule.wait);
        let may_hint = !rule.ignores_hint
            && matches!(
                rule.kind,
                Kind::AtCapacity
                    | Kind::RateLimited
                    | Kind::UsageLimit
                    | Kind::QuotaExhausted
                    | Kind::ServerError
                    | Kind::Timeout
            );
        if may_hint {
            let is_money = rule.kind == Kind::QuotaExhausted && !outcome.wait_helps;
            outcome.retry_after = hint::find(self.exchange, evidence, self.is_beijing(evidence), is_money);
            // A quota that states its reset heals by itself.
            outcome.wait_helps |= is_money && outcome.retry_after.is_some();
        }
        let is_long = outcome.retry_after.is_none_or(|wait| wait.as_secs() > 3600);
        if outcome.kind == Kind::RateLimited && is_long && matcher.is_marked(Mark::Day, found) {
            outcome.kind = Kind::QuotaExhausted;
            outcome.rule = Cow::Borrowed("daily-window");
            outcome.wait_helps = true;
        }
        outcome.switch_helps = outcome.scope == Scope::Model && outcome.kind != Kind::Available;
        if outcome.kind != Kind::Available {
            outcome.excerpt = summary(evidence);
        }
        outcome
    }

    /// Whether times without a zone are Beijing's.
    fn is_beijing(&self, evidence: &Evidence) -> bool {
        let is_chinese = |symbol: char| ('\u{4e00}'..='\u{9fff}').contains(&symbol);
        let by_number = || evidence.names.iter().any(|name| matches!(evidence.name(name), "1308" | "1310"));
        let by_provider = || {
            self.provider.is_some_and(|provider| {
                ["zhipu", "z.ai", "zai", "bigmodel", "glm", "volc", "ark", "minimax"]
                    .iter()
                    .any(|part| provider.contains(part))
            })
        };
        by_number() || by_provider() || evidence.prose().chars().any(is_chinese)
    }

    /// Tries the user's rules.
    fn by_user(&self, evidence: &Evidence, page: Option<Page<'_>>, status: u16) -> Option<Outcome> {
        if self.rules.user.is_empty() {
            return None;
        }
        let lower = evidence.prose().to_lowercase();
        let names: Vec<_> = evidence.names.iter().map(|name| evidence.name(name)).collect();
        let inner = evidence.inner_status.map(|(_, status)| status);
        let subject = user::Subject {
            provider: self.origin.provider,
            dialect: self.origin.dialect,
            statuses: [Some(status).filter(|status| *status != 0), inner],
            names: &names,
            texts: [evidence.prose(), page.map_or("", |page| page.text)],
            lower: [&lower, page.map_or("", |page| page.lower)],
        };
        let rule = self.rules.user.iter().find(|rule| rule.matches(&subject))?.rule.clone();
        let scope = rule.scope.unwrap_or_else(|| usual_scope(rule.kind));
        let mut outcome = plain("", rule.kind, scope);
        outcome.rule = Cow::Owned(rule.id);
        if outcome.wait_helps {
            outcome.retry_after = hint::find(self.exchange, evidence, self.is_beijing(evidence), false);
        }
        if rule.kind != Kind::Available {
            outcome.excerpt = summary(evidence);
        }
        Some(outcome)
    }
}

#[derive(Clone, Copy)]
struct Page<'a> {
    text: &'a str,
    lower: &'a str,
}
