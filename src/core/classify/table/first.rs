//! Known traps: where the obvious code, type, text or status says something else than what is meant.

use crate::core::classify::rule::Rule;
use crate::core::outcome::Kind::*;
use crate::core::outcome::Scope::*;

pub(super) const FIRST: &[Rule] = &[
    // Proof of life: the output budget was too small for a model that did run.
    Rule::new("output-budget-spent", Available, Model)
        .texts(&["could not finish the message because max_tokens", "model output limit was reached"]),
    // Waiting never helps, though the status may be 429 and the code that of a rate limit.
    Rule::new("request-too-large", BadRequest, Local).texts(&[
        "request too large",
        "request is too large",
        "request body too large",
        "request entity too large",
        "payload too large",
        "input or output tokens must be reduced",
        "tokens in your request exceed",
        "single request exceeds the",
        "请求体过大",
    ]),
    // Plans of Claude: the header names the window that rejected.
    Rule::new("claude-window-model", UsageLimit, Model).names(&["unified:model"]).statuses(&[(200, 299), (429, 429)]),
    Rule::new("claude-window", UsageLimit, Account).names(&["unified:account"]).statuses(&[(200, 299), (429, 429)]),
    Rule::new("spend-limit", QuotaExhausted, Account).waits().names(&["enforcedspendlimitreached"]),
    // The text was rewritten by the relay, the code was not.
    Rule::new("billing-not-active", QuotaExhausted, Account).names(&["billingnotactive"]),
    Rule::new("relay-saturated", AtCapacity, Model).texts(&[
        "上游负载已饱和",
        "上游负载饱和",
        "负载已饱和",
        "upstream load is saturated",
        "upstream load saturated",
    ]),
    Rule::new("shared-pool", AtCapacity, Model).names(&["upstreamprovidersharedpool"]),
    Rule::new("in-flight-budget", RateLimited, Account).names(&["openrouterinflightbudget", "inflightbudgetexhausted"]),
    // Shared pay-as-you-go pool, not the account's own quota.
    Rule::new("vertex-shared-pool", AtCapacity, Model)
        .texts(&[
            "error-code-429",
            "resource exhausted. please try again later",
            "resource exhausted, please try again later",
        ])
        .unless(&["per_minute", "perminute", "per_day", "perday"]),
    Rule::new("gemini-no-allowance", QuotaExhausted, Model)
        .futile()
        .texts(&["limit: 0,", "limit: 0\n", "limit: 0."])
        .also(&["quota", "googleapis.com"]),
    // "Quota" and "current quota" of DashScope mean tokens per minute.
    Rule::new("dashscope-quota", RateLimited, Model)
        .texts(&["exceeded your current quota", "allocated quota exceeded", "exceeded your current requests list"])
        .also(&["aliyun.com", "alibabacloud.com", "requests list", "allocated quota exceeded"]),
    Rule::new("dashscope-quota", RateLimited, Model).texts(&["exceeded your current quota"]).providers(&[
        "dashscope",
        "aliyun",
        "bailian",
        "alibaba",
        "qwen",
        "modelstudio",
    ]),
    // Coding plans that answer 403 or a permission type when their window is used up.
    Rule::new("plan-window-as-permission", UsageLimit, Account)
        .names(&["permissionerror", "accessterminatederror", "forbidden", "permissiondenied", "accessdenied"])
        .texts(&[
            "usage limit",
            "usage quota",
            "weekly limit",
            "hour limit",
            "limit will reset",
            "limit resets",
            "billing cycle",
            "quota will be refreshed",
        ]),
    Rule::new("client-not-allowed", Forbidden, Account).texts(&[
        "only available for coding agents",
        "only authorized for use with claude code",
        "can only be used with claude code",
        "only be used in coding tools",
        "only be used with supported coding tools",
        "not allowed for this client",
        "client is not allowed",
        "client not supported",
        "third-party apps",
        "third-party applications are not",
        "仅限 claude code",
        "仅支持 claude code",
        "仅支持在编程工具",
        "仅限编程工具",
        "客户端不被允许",
        "不支持的客户端",
    ]),
    Rule::new("unverified-organization", Forbidden, Model).texts(&[
        "organization must be verified",
        "must complete identity verification",
        "verify organization to use",
    ]),
    Rule::new("page-redirect-portal", Network, Local).futile().names(&["location:portal"]).statuses(&[(300, 399)]),
    // A daily limit of a subscription product.
    Rule::new("day-per-user", UsageLimit, Account).texts(&["per day per user"]),
    // A relay's own credential at its provider: the user cannot mend it.
    Rule::new("relay-upstream-key", ServerError, Provider).texts(&[
        "upstream authentication failed",
        "upstream access forbidden",
        "upstream unauthorized",
        "渠道密钥无效",
        "上游认证失败",
        "上游鉴权失败",
    ]),
    // Relays that say their own account at the upstream is limited or broke.
    Rule::new("relay-upstream-broke", QuotaExhausted, Model).texts(&[
        "upstream insufficient balance",
        "upstream account has insufficient",
        "upstream account balance",
        "upstream balance",
        "upstream provider has insufficient",
        "upstream quota exhausted",
        "upstream quota exceeded",
        "provider account has insufficient",
        "provider is out of credits",
        "upstream provider returned insufficient",
        "insufficient balance upstream",
        "上游余额不足",
        "上游账户余额不足",
        "上游账号余额不足",
        "上游额度不足",
        "渠道余额不足",
    ]),
    Rule::new("relay-upstream-broke", QuotaExhausted, Model)
        .texts(&["error from provider (", "upstream provider error", "上游"])
        .also(&[
            "insufficient balance",
            "insufficient credit",
            "insufficient quota",
            "out of credits",
            "billing",
            "余额不足",
            "欠费",
            "额度不足",
        ]),
    Rule::new("relay-upstream-broke", QuotaExhausted, Model)
        .texts(&["insufficient balance", "余额不足", "insufficient_balance"])
        .providers(&["modelscope"]),
    Rule::new("relay-upstream-limited", AtCapacity, Model)
        .texts(&["error from provider (", "upstream", "上游"])
        .also(&[
            "rate limit",
            "rate-limit",
            "rate_limit",
            "too many requests",
            "throttl",
            "限流",
            "限速",
            "频率",
            "速率",
        ])
        .unless(&["your account", "your organization", "your api key", "api key's"]),
    Rule::new("relay-upstream-limited", AtCapacity, Model).texts(&[
        "rate-limited upstream",
        "rate limited upstream",
        "upstream rate limit",
        "upstream rate-limit",
        "upstream is rate limited",
        "upstream is rate-limited",
        "upstream provider is rate",
        "upstream provider rate limit",
        "upstream accounts are rate limited",
        "upstream account is rate limited",
        "upstream service is rate limited",
        "limited by upstream",
        "limited by the upstream",
        "throttled upstream",
        "throttled by upstream",
        "accounts are rate limited",
        "accounts are currently rate limited",
        "all accounts are limited",
        "上游限流",
        "上游速率限制",
        "上游触发限流",
        "上游服务限流",
        "上游请求频率",
        "上游渠道限流",
        "账号均被限流",
        "所有账号都被限流",
    ]),
    // A machine code or a sentence of the Files-and-functions kind, sent with 400.
    Rule::new("degraded-function", ServerError, Model)
        .texts(&["degraded function cannot be invoked", "degraded function"]),
    // Zhipu's gateway answers 200 for a wrong path.
    Rule::new("gateway-not-found", Misconfigured, Local).texts(&["404 not_found"]),
    Rule::new("data-policy", Misconfigured, Account).texts(&[
        "guardrail restrictions and data policy",
        "matching your data policy",
        "openrouter.ai/settings/privacy",
    ]),
    Rule::new("stopped-by-moderation", ContentFiltered, Local).texts(&[
        "requires moderation on openrouter",
        "your input was flagged for",
        "input was flagged",
    ]),
];
