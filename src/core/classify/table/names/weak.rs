//! Codes and types that many providers use for everything: only when the text said nothing.

use crate::core::classify::rule::Rule;
use crate::core::outcome::Kind::*;
use crate::core::outcome::Scope::*;

pub(in crate::core::classify::table) const WEAK: &[Rule] = &[
    Rule::new("service-unavailable-type", AtCapacity, Model).names(&["serviceunavailableerror"]),
    Rule::new("permission-word", Forbidden, Account).names(&[
        "permissiondenied",
        "forbidden",
        "accessdenied",
        "forbiddenerror",
    ]),
    Rule::new("exhausted-word", RateLimited, Account).names(&["resourceexhausted"]).model_if_named(),
    Rule::new("quota-word", QuotaExhausted, Account).names(&["quotaexceeded", "quotaexceedederror", "quota"]),
    Rule::new("not-found-word", ModelNotFound, Model)
        .names(&["notfound", "resourcenotfound", "somerequestedentitywasnotfound"])
        .texts(&["model", "deployment", "模型", "engine"]),
    Rule::new("not-found-path", Misconfigured, Local).names(&["notfound", "resourcenotfound"]),
    Rule::new("precondition-word", BadRequest, Local)
        .names(&[
            "invalidrequesterror",
            "invalidargument",
            "failedprecondition",
            "badrequest",
            "outofrange",
            "invalidrequest",
            "clientspecifiedaninvalidargument",
            "invalidinput",
        ])
        .statuses(&[(0, 428), (430, 499)]),
    Rule::new("deadline-word", Timeout, Provider).names(&["deadlineexceeded", "cancelled"]),
    Rule::new("fault-word", ServerError, Provider)
        .names(&[
            "servererror",
            "internalservererror",
            "internalerror",
            "internal",
            "internalserverexception",
            "internalserviceerror",
            "apierror",
            "unavailable",
            "unavailableerror",
            "serviceunavailable",
            "serviceunavailableerror",
            "systemerror",
            "upstreamerror",
            "badresponsestatuscode",
            "badresponse",
            "dorequestfailed",
            "emptyresponse",
            "badgateway",
            "failedoperation",
            "unknown",
            "unknownerror",
            "apiconnectionerror",
            "connectionerror",
            "streamerror",
            "dataloss",
            "aborted",
        ])
        .statuses(&[(0, 399), (500, 599)]),
];
