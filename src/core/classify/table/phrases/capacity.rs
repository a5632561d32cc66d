//! A model that is full, loading or broken, without a doubt. After all that is only said beside it.

use crate::core::classify::rule::Rule;
use crate::core::outcome::Kind::*;
use crate::core::outcome::Scope::*;

pub(in crate::core::classify::table) const CAPACITY: &[Rule] = &[
    Rule::new("no-deployment", AtCapacity, Model).texts(&[
        "no deployments available",
        "no deployment available",
        "deployments are in cooldown",
    ]),
    Rule::new("loading", AtCapacity, Model).texts(&[
        "loading model",
        "model is loading",
        "is currently loading",
        "model is still loading",
        "model is being loaded",
        "still loading",
        "currently being loaded",
        "not ready yet",
        "model is not ready",
        "is not ready for inference",
        "warming up",
        "warm-up",
        "warmup",
        "scaling up",
        "spinning up",
        "starting up",
        "initializing",
        "cold start",
        "模型加载中",
        "模型正在加载",
        "正在加载",
        "正在启动",
    ]),
    // The refusal is the provider's to the gateway, not the gateway's to the user.
    Rule::new("provider-refused", AtCapacity, Model).texts(&["provider returned error"]).statuses(&[(429, 429)]),
    Rule::new("degraded", ServerError, Model)
        .texts(&[
            "provider disconnected",
            "provider returned an error",
            "provider returned error",
            "upstream provider error",
            "model error",
            "model crashed",
            "llama runner process",
            "runner process has terminated",
            "inference failed",
            "cuda error",
            "cuda out of memory",
            "out of memory",
            "enginedeaderror",
            "engine core",
            "engine is dead",
        ])
        .statuses(&[(0, 399), (500, 599)]),
];
