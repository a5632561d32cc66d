//! From ticked proposals to a settings file.

use super::{Found, Proposal};
use crate::core::target::{ProviderId, Role};
use crate::settings::{blocks, starter};

/// The text of a settings file that watches what is ticked; `ticked` has one entry a proposal, and a missing one counts
/// as not ticked. Nothing is written.
pub fn adopt(found: &Found, ticked: &[bool]) -> String {
    let chosen: Vec<&Proposal> =
        found.proposals.iter().zip(ticked).filter(|(_, is_ticked)| **is_ticked).map(|(proposal, _)| proposal).collect();
    let primary = chosen.iter().position(|proposal| proposal.role == Role::Primary).unwrap_or(0);
    let mut text = starter::HEAD.to_owned();
    let mut written: Vec<&ProviderId> = Vec::new();
    for proposal in &chosen {
        let provider = &proposal.provider;
        if !provider.is_subscription && !written.contains(&&provider.id) {
            written.push(&provider.id);
            text.push('\n');
            text.push_str(&blocks::provider(provider));
        }
    }
    for (at, proposal) in chosen.iter().enumerate() {
        let role = match proposal.role {
            _ if at == primary => Role::Primary,
            Role::Primary => Role::Backup,
            role => role,
        };
        text.push('\n');
        text.push_str(&blocks::target(&Proposal { role, ..(*proposal).clone() }));
    }
    text.push_str(starter::TAIL);
    text
}
