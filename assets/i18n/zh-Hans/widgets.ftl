# Area: widgets. Shared by several screens.

widgets-strip-summary = { $name }，最近 24 小时：观测时段内有 { $percent }% 的时间空闲，共 { $samples } 个样本
widgets-strip-empty = { $name }，最近 24 小时：没有证据，共 { $samples } 个样本
widgets-strip-cell = { $from }–{ $to }：{ $word }，{ $percent }% 的时间空闲，{ $samples } 个样本
widgets-strip-account = { $from }–{ $to }：{ $word }，与模型本身无关，{ $samples } 个样本
widgets-strip-gap = { $from }–{ $to }：未观测
widgets-toast-close = 关闭
