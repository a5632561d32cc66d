//! What a status says when nothing else does: the weakest evidence, because providers disagree on it.

use crate::core::classify::rule::Rule;
use crate::core::outcome::Kind::*;
use crate::core::outcome::Scope::*;

pub(super) const STATUSES: &[Rule] = &[
    Rule::new("status-401", Auth, Account).statuses(&[(401, 401)]),
    Rule::new("status-402", QuotaExhausted, Account).statuses(&[(402, 402)]),
    Rule::new("status-403", Forbidden, Account).statuses(&[(403, 403)]),
    Rule::new("status-404", Misconfigured, Local).statuses(&[(404, 405), (421, 421), (426, 426), (501, 501)]),
    Rule::new("status-407", Network, Local).futile().statuses(&[(407, 407), (511, 511)]),
    Rule::new("status-408", Timeout, Provider).statuses(&[
        (408, 408),
        (499, 499),
        (504, 504),
        (522, 522),
        (524, 524),
        (598, 599),
    ]),
    Rule::new("status-410", ModelNotFound, Model).statuses(&[(410, 410)]),
    Rule::new("status-429", RateLimited, Account).statuses(&[(429, 429), (420, 420)]).model_if_named(),
    Rule::new("status-451", Forbidden, Local).statuses(&[(451, 451)]),
    Rule::new("status-498", AtCapacity, Model).statuses(&[(498, 498), (529, 529)]),
    Rule::new("status-409", ServerError, Provider).statuses(&[(409, 409), (423, 425)]),
    Rule::new("status-4xx", BadRequest, Local).statuses(&[(400, 499)]),
    Rule::new("status-5xx", ServerError, Provider).statuses(&[(500, 599)]),
    Rule::new("status-redirect", Misconfigured, Local).statuses(&[(300, 399)]),
];
