//! Codes that nobody has listed, by what they contain.

use crate::core::classify::rule::Rule;
use crate::core::outcome::Kind::*;
use crate::core::outcome::Scope::*;

pub(in crate::core::classify::table) const LIKENESSES: &[Rule] = &[
    Rule::new("like-overload", AtCapacity, Model).parts(&["overload", "capacity", "servicebusy"]),
    Rule::new("like-money", QuotaExhausted, Account).parts(&[
        "insufficientbalance",
        "insufficientquota",
        "insufficientcredit",
        "insufficientfund",
        "overdue",
        "arrear",
        "spendlimit",
        "spendinglimit",
        "budgetexceeded",
        "balancenotenough",
        "billinglimit",
    ]),
    // A relay that was limited by the provider behind it: not the user's own limit.
    Rule::new("like-limit-upstream", AtCapacity, Model).parts(&["upstreamratelimit", "upstreamproviderratelimit"]),
    Rule::new("like-limit-of-account", RateLimited, Account).parts(&[
        "apiaccount",
        "accountratelimit",
        "userratelimit",
        "keyratelimit",
        "concurrencylimit",
    ]),
    Rule::new("like-limit-of-model", RateLimited, Model).parts(&[
        "modelaccount",
        "endpointrpm",
        "endpointtpm",
        "foundationmodel",
        "throttling",
    ]),
    Rule::new("like-limit", RateLimited, Account).parts(&["ratelimit", "toomanyrequests", "throttl"]).model_if_named(),
    Rule::new("like-key", Auth, Account).parts(&[
        "authfailure",
        "authenticationfail",
        "invalidapikey",
        "apikeyinvalid",
        "unauthorized",
    ]),
    Rule::new("like-model", ModelNotFound, Model).parts(&[
        "modelnotfound",
        "modelnotexist",
        "modelnotsupport",
        "unknownmodel",
    ]),
    Rule::new("like-too-long", BadRequest, Local).parts(&["contextlength", "contextwindow"]),
];
