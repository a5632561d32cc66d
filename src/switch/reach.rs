//! Which of the user's targets a tool can be switched to, by which of its names, and why not to the others.
//!
//! A target is reached when one of the tool's endpoints has its address, speaks its dialect, has a credential as far as
//! that can be seen, and offers its model. That the model works there is another matter: it is known when the provider's
//! own list has it, or when it was seen working; otherwise a plan says so.

use url::Url;

use crate::core::target::{Dialect, ModelId, TargetId};
use crate::i18n::{FluentArgs, Tr};
use crate::switch::plan::{Action, Plan, plan};
use crate::switch::reading::Effective;
use crate::switch::tool::{At, Credential, Home, Tool, ToolEndpoint, Wanted};
use crate::switch::warning::{Code, Warning};
use crate::switch::world::Vars;
use crate::wire::presets::Preset;

/// How a target's key is referenced in our settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalKey {
    /// It needs none.
    None,
    /// By a variable.
    Variable(String),
    /// It is a login of this tool: no other tool has it.
    Tool(String),
    /// By a command or the system's key chain.
    Elsewhere,
}

/// A target, as far as it matters to tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The target.
    pub target: TargetId,
    /// Its model.
    pub model: ModelId,
    /// The wire API of its provider.
    pub dialect: Dialect,
    /// Its provider's address; `None` for a subscription.
    pub base_url: Option<Url>,
    /// Its provider's key.
    pub key: GoalKey,
    /// Whether the provider's models call lists the model; `None` when it was not asked.
    pub is_listed: Option<bool>,
    /// Whether an answer of it was seen, by a probe or in a tool's log.
    pub is_seen_working: bool,
}

impl Goal {
    /// Whether anything tells that the model can be used.
    pub fn is_verified(&self) -> bool {
        self.is_seen_working || self.is_listed == Some(true)
    }
}

/// How a tool is told to use a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// What to ask of the tool.
    pub wanted: Wanted,
    /// The endpoint that it will use.
    pub endpoint: ToolEndpoint,
    /// False when a plan should warn that nothing tells that the model can be used.
    pub is_verified: bool,
}

/// How a tool is told a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// By the tool's own name for the provider.
    pub provider: String,
    /// The model as the tool spells it.
    pub model: String,
}

impl Reached {
    /// How a tool spells a way.
    pub fn by(tool: &dyn Tool, way: Way) -> Self {
        Self { model: tool.spell(&way.endpoint, &way.wanted.model), provider: way.endpoint.provider }
    }

    /// Whether a tool that says this model and provider uses it: some write the provider before the model.
    pub fn is(&self, model: &str, provider: Option<&str>) -> bool {
        let is_model = model == self.model
            || model.strip_prefix(&*self.provider).and_then(|rest| rest.strip_prefix('/')) == Some(&self.model);
        is_model && provider.is_none_or(|provider| provider == self.provider)
    }

    /// The first of the targets that a tool can be told which it uses.
    pub fn used<'a>(
        choices: impl IntoIterator<Item = (&'a TargetId, &'a Self)>,
        effective: &Effective,
    ) -> Option<&'a TargetId> {
        let model = effective.model.as_ref()?;
        let mut choices = choices.into_iter();
        choices.find(|(_, reached)| reached.is(model, effective.provider.as_deref())).map(|(target, _)| target)
    }
}

/// Why a tool cannot be switched to a target. The later ones come closer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unreachable {
    /// The target is a login of another tool.
    OtherTool {
        /// That tool.
        tool: String,
    },
    /// The tool's files do not say where it can send requests.
    Unknown,
    /// None of its endpoints has the target's address.
    NoEndpoint {
        /// The address's host.
        host: String,
    },
    /// It speaks another wire API there.
    Dialect {
        /// The tool's name for the endpoint.
        provider: String,
        /// What it speaks.
        speaks: Dialect,
        /// What the target speaks.
        needs: Dialect,
    },
    /// The tool's own list of models lacks it.
    NotListed {
        /// The tool's name for the endpoint.
        provider: String,
    },
    /// The variable with its key is not set.
    CredentialMissing {
        /// The tool's name for the endpoint.
        provider: String,
        /// The variable.
        variable: String,
    },
}

impl Unreachable {
    /// The reason in words.
    pub fn message(&self, tool: &str, goal: &Goal, tr: &Tr) -> String {
        let mut args = FluentArgs::new();
        args.set("tool", tool.to_owned());
        args.set("model", goal.model.as_str().to_owned());
        let id = match self {
            Self::OtherTool { tool } => {
                args.set("owner", tool.clone());
                "switch-reach-other-tool"
            }
            Self::Unknown => "switch-reach-unknown",
            Self::NoEndpoint { host } => {
                args.set("host", host.clone());
                "switch-reach-no-endpoint"
            }
            Self::Dialect { provider, speaks, needs } => {
                args.set("provider", provider.clone());
                args.set("speaks", speaks.name());
                args.set("needs", needs.name());
                "switch-reach-dialect"
            }
            Self::NotListed { provider } => {
                args.set("provider", provider.clone());
                "switch-reach-not-listed"
            }
            Self::CredentialMissing { provider, variable } => {
                args.set("provider", provider.clone());
                args.set("variable", variable.clone());
                "switch-reach-credential"
            }
        };
        tr.with(id, &args)
    }
}

/// Whether and how a tool with these endpoints reaches a target.
///
/// # Errors
///
/// The reason of the endpoint that came closest.
pub fn reach(tool: &dyn Tool, endpoints: &[ToolEndpoint], vars: &Vars, goal: &Goal) -> Result<Way, Unreachable> {
    let way = |endpoint: &ToolEndpoint| {
        let wanted =
            Wanted { model: goal.model.as_str().to_owned(), provider: Some(endpoint.provider.clone()), alias: None };
        Way { wanted, endpoint: endpoint.clone(), is_verified: goal.is_verified() }
    };
    if let GoalKey::Tool(owner) = &goal.key {
        if owner != tool.id() {
            return Err(Unreachable::OtherTool { tool: owner.clone() });
        }
        let own = endpoints.iter().find(|endpoint| endpoint.credential == Credential::OwnLogin);
        return own.or(endpoints.first()).map(way).ok_or(Unreachable::Unknown);
    }
    let Some(address) = &goal.base_url else { return Err(Unreachable::Unknown) };
    if endpoints.is_empty() {
        return Err(Unreachable::Unknown);
    }
    let mut closest = Unreachable::NoEndpoint { host: address.host_str().unwrap_or_default().to_owned() };
    let mut best: Option<(u8, &ToolEndpoint)> = None;
    for endpoint in endpoints {
        match judge(tool, endpoint, address, vars, goal) {
            Ok(rank) if best.is_none_or(|(known, _)| rank > known) => best = Some((rank, endpoint)),
            Ok(_) => {}
            Err(Some(reason)) if reason > closest => closest = reason,
            Err(_) => {}
        }
    }
    best.map(|(_, endpoint)| way(endpoint)).ok_or(closest)
}

/// How well an endpoint serves a target, or why it does not; without a reason it is another place.
fn judge(
    tool: &dyn Tool,
    endpoint: &ToolEndpoint,
    address: &Url,
    vars: &Vars,
    goal: &Goal,
) -> Result<u8, Option<Unreachable>> {
    let own = address_of(endpoint).ok_or(None)?;
    if place(&own) != place(address) {
        return Err(None);
    }
    let provider = endpoint.provider.clone();
    if let Some(speaks) = endpoint.dialect.filter(|&speaks| !serves(address, speaks, goal.dialect)) {
        return Err(Some(Unreachable::Dialect { provider, speaks, needs: goal.dialect }));
    }
    let model = goal.model.as_str();
    let spelled = tool.spell(endpoint, model);
    let offers = |listed: &String| listed == model || *listed == spelled;
    if !endpoint.models.is_empty() && !endpoint.models.iter().any(offers) {
        return Err(Some(Unreachable::NotListed { provider }));
    }
    match &endpoint.credential {
        Credential::Variable(variable) if vars.is_missing(variable) => {
            Err(Some(Unreachable::CredentialMissing { provider, variable: variable.clone() }))
        }
        // The very key that is probed says most about what the tool will meet.
        Credential::Variable(variable) if goal.key == GoalKey::Variable(variable.clone()) => Ok(3),
        Credential::Variable(_) | Credential::InFile | Credential::None => Ok(2),
        Credential::OwnLogin => Ok(1),
        Credential::Unknown => Ok(0),
    }
}

/// Where an endpoint sends requests; one without an address is at the vendor of its name, or of its dialect.
fn address_of(endpoint: &ToolEndpoint) -> Option<Url> {
    if let Some(url) = &endpoint.base_url {
        return Url::parse(url).ok();
    }
    let dialect = endpoint.dialect?;
    let vendor = match dialect {
        Dialect::OpenaiChat | Dialect::OpenaiResponses => "openai",
        Dialect::AnthropicMessages => "anthropic",
        Dialect::Gemini => "gemini",
        Dialect::OllamaChat => "ollama",
        Dialect::Generic => return None,
    };
    let named = Preset::find(&endpoint.provider).filter(|preset| preset.dialect == dialect && !preset.is_template());
    Url::parse(named.or_else(|| Preset::find(vendor))?.base_url).ok()
}

/// What tells two places apart: the host, its port, and the path without the version that some write and some do not.
fn place(url: &Url) -> (String, Option<u16>, String) {
    let host = match url.host_str().unwrap_or_default() {
        "127.0.0.1" | "[::1]" | "0.0.0.0" => "localhost",
        host => host,
    };
    let path = url.path().trim_end_matches('/');
    let path = ["/v1beta", "/v1"].iter().find_map(|version| path.strip_suffix(version)).unwrap_or(path);
    (host.to_owned(), url.port_or_known_default(), path.to_owned())
}

/// Whether a tool that speaks one dialect at an address can use what is there by another: OpenAI's own address answers
/// both of its wire APIs with the same models.
fn serves(address: &Url, speaks: Dialect, needs: Dialect) -> bool {
    let is_openai = |dialect| matches!(dialect, Dialect::OpenaiChat | Dialect::OpenaiResponses);
    speaks == needs || (address.host_str() == Some("api.openai.com") && is_openai(speaks) && is_openai(needs))
}

/// Plans a switch along a way, and says where nothing tells that the model can be used.
pub fn plan_along(tool: &dyn Tool, at: &At<'_>, way: &Way) -> Plan {
    let mut plan = plan(tool, at, &way.wanted);
    let is_told = plan.warnings.iter().any(|warning| warning.code == Code::ModelUnverified);
    let takes_hold =
        matches!(plan.action, Action::Edit(_)) && plan.after.provider.as_ref() == Some(&way.endpoint.provider);
    if !way.is_verified && takes_hold && !is_told {
        let warning = Warning::new(Code::ModelUnverified, "switch-model-unverified");
        plan.warnings.push(warning.with("model", &way.wanted.model).with("provider", &way.endpoint.provider));
    }
    plan
}

/// Why "Use everywhere" leaves a tool out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skip {
    /// It cannot reach the target.
    Unreachable(Unreachable),
    /// Its state does not allow a switch.
    Refused(Warning),
    /// It uses the target already.
    AlreadyThere,
}

/// What "Use everywhere" would do with one home of a tool.
#[derive(Clone, Debug)]
pub struct Step {
    /// The tool.
    pub tool: &'static str,
    /// Its home.
    pub home: Home,
    /// The switch, or why there is none.
    pub outcome: Result<Plan, Skip>,
}

/// Plans a switch of every tool that is in use to one target. Tools that are not in use are left out without a word.
pub fn everywhere<'a>(tools: impl IntoIterator<Item = (&'a dyn Tool, At<'a>)>, goal: &Goal) -> Vec<Step> {
    let in_use = tools.into_iter().filter(|(tool, at)| tool.is_present(at));
    in_use
        .map(|(tool, at)| {
            let way = reach(tool, &tool.endpoints(&at), at.world.vars, goal).map_err(Skip::Unreachable);
            let outcome = way.and_then(|way| {
                let plan = plan_along(tool, &at, &way);
                match &plan.action {
                    Action::Refuse(reason) => Err(Skip::Refused(reason.clone())),
                    Action::Edit(edits) if edits.is_empty() => Err(Skip::AlreadyThere),
                    Action::Edit(_) => Ok(plan),
                }
            });
            Step { tool: tool.id(), home: at.home.clone(), outcome }
        })
        .collect()
}

#[cfg(test)]
mod tests;
