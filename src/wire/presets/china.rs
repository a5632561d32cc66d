//! Providers in China, with their international addresses where they have both.

use super::{CHAT, COUNTED, Preset};
use crate::core::target::Dialect;
use crate::wire::endpoint::Auth;

/// In the order in which they are offered.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        id: "deepseek",
        name: "DeepSeek",
        base_url: "https://api.deepseek.com/v1",
        key_vars: &["DEEPSEEK_API_KEY"],
        models: &["deepseek-chat", "deepseek-reasoner"],
        ..CHAT
    },
    Preset {
        id: "deepseek-anthropic",
        name: "DeepSeek (Anthropic API)",
        dialect: Dialect::AnthropicMessages,
        base_url: "https://api.deepseek.com/anthropic",
        auth: Auth::Header("x-api-key"),
        key_vars: &["DEEPSEEK_API_KEY"],
        models: &["deepseek-chat"],
        ..CHAT
    },
    Preset {
        id: "moonshot-cn",
        name: "Moonshot AI (中国)",
        base_url: "https://api.moonshot.cn/v1",
        key_vars: &["MOONSHOT_API_KEY"],
        note: Some("probe-note-region"),
        models: &["kimi-k2-0905-preview", "kimi-k2-thinking"],
        ..CHAT
    },
    Preset {
        id: "moonshot",
        name: "Moonshot AI",
        base_url: "https://api.moonshot.ai/v1",
        key_vars: &["MOONSHOT_API_KEY"],
        note: Some("probe-note-region"),
        models: &["kimi-k2-0905-preview", "kimi-k2-thinking"],
        ..CHAT
    },
    Preset {
        id: "zhipu",
        name: "Zhipu AI",
        base_url: "https://open.bigmodel.cn/api/paas/v4",
        key_vars: &["ZHIPUAI_API_KEY", "ZHIPU_API_KEY", "BIGMODEL_API_KEY"],
        note: Some("probe-note-coding-base"),
        models: &["glm-4.6", "glm-4.5-air"],
        ..CHAT
    },
    Preset {
        id: "zhipu-coding",
        name: "智谱 GLM Coding Plan",
        base_url: "https://open.bigmodel.cn/api/coding/paas/v4",
        key_vars: &["ZHIPUAI_API_KEY", "ZHIPU_API_KEY", "BIGMODEL_API_KEY"],
        note: Some("probe-note-plan"),
        models: &["glm-4.6"],
        ..COUNTED
    },
    Preset {
        id: "zai",
        name: "Z.ai",
        base_url: "https://api.z.ai/api/paas/v4",
        key_vars: &["ZAI_API_KEY", "Z_AI_API_KEY"],
        note: Some("probe-note-coding-base"),
        models: &["glm-4.6", "glm-4.5-air"],
        ..CHAT
    },
    Preset {
        id: "zai-coding",
        name: "Z.ai GLM Coding Plan",
        base_url: "https://api.z.ai/api/coding/paas/v4",
        key_vars: &["ZAI_API_KEY", "Z_AI_API_KEY"],
        note: Some("probe-note-plan"),
        models: &["glm-4.6"],
        ..COUNTED
    },
    Preset {
        id: "dashscope-cn",
        name: "阿里云百炼 (DashScope)",
        base_url: "https://dashscope.aliyuncs.com/compatible-mode/v1",
        key_vars: &["DASHSCOPE_API_KEY"],
        note: Some("probe-note-region"),
        models: &["qwen-plus", "qwen3-max", "qwen3-coder-plus"],
        ..CHAT
    },
    Preset {
        id: "dashscope",
        name: "Alibaba Cloud Model Studio",
        base_url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        key_vars: &["DASHSCOPE_API_KEY"],
        note: Some("probe-note-region"),
        models: &["qwen-plus", "qwen3-max", "qwen3-coder-plus"],
        ..CHAT
    },
    Preset {
        id: "siliconflow-cn",
        name: "硅基流动 (SiliconFlow)",
        base_url: "https://api.siliconflow.cn/v1",
        key_vars: &["SILICONFLOW_API_KEY"],
        note: Some("probe-note-region"),
        models: &["deepseek-ai/DeepSeek-V3", "Qwen/Qwen2.5-72B-Instruct"],
        ..CHAT
    },
    Preset {
        id: "siliconflow",
        name: "SiliconFlow",
        base_url: "https://api.siliconflow.com/v1",
        key_vars: &["SILICONFLOW_API_KEY"],
        note: Some("probe-note-region"),
        models: &["deepseek-ai/DeepSeek-V3", "Qwen/Qwen2.5-72B-Instruct"],
        ..CHAT
    },
    Preset {
        id: "volcengine",
        name: "火山方舟 (Volcengine Ark)",
        base_url: "https://ark.cn-beijing.volces.com/api/v3",
        key_vars: &["ARK_API_KEY", "VOLCENGINE_API_KEY"],
        note: Some("probe-note-ark"),
        models: &["doubao-seed-1-6-250615", "deepseek-v3-250324"],
        ..CHAT
    },
    Preset {
        id: "minimax-cn",
        name: "MiniMax (中国)",
        base_url: "https://api.minimaxi.com/v1",
        key_vars: &["MINIMAX_API_KEY"],
        note: Some("probe-note-region"),
        models: &["MiniMax-M2"],
        ..CHAT
    },
    Preset {
        id: "minimax",
        name: "MiniMax",
        base_url: "https://api.minimax.io/v1",
        key_vars: &["MINIMAX_API_KEY"],
        note: Some("probe-note-region"),
        models: &["MiniMax-M2"],
        ..CHAT
    },
    Preset {
        id: "qianfan",
        name: "百度千帆 (Qianfan)",
        base_url: "https://qianfan.baidubce.com/v2",
        key_vars: &["QIANFAN_API_KEY"],
        note: Some("probe-note-qianfan"),
        models: &["ernie-4.5-turbo-128k", "deepseek-v3"],
        ..CHAT
    },
    Preset {
        id: "hunyuan",
        name: "腾讯混元 (Hunyuan)",
        base_url: "https://api.hunyuan.cloud.tencent.com/v1",
        key_vars: &["HUNYUAN_API_KEY"],
        models: &["hunyuan-turbos-latest", "hunyuan-t1-latest"],
        ..CHAT
    },
    Preset {
        id: "stepfun",
        name: "阶跃星辰 (StepFun)",
        base_url: "https://api.stepfun.com/v1",
        key_vars: &["STEP_API_KEY", "STEPFUN_API_KEY"],
        models: &["step-2-16k", "step-3"],
        ..CHAT
    },
    Preset {
        id: "modelscope",
        name: "魔搭 (ModelScope)",
        base_url: "https://api-inference.modelscope.cn/v1",
        key_vars: &["MODELSCOPE_API_KEY", "MODELSCOPE_SDK_TOKEN"],
        note: Some("probe-note-free"),
        models: &["deepseek-ai/DeepSeek-V3.1"],
        ..COUNTED
    },
];
