# Area: metrics.

metrics-served = 指标位于 http://{ $address }/metrics
metrics-open = 能访问 { $address } 的每台机器都能看到你观察哪些模型以及它们的状态。密钥不会被公开。
metrics-bind = 无法在 { $address } 提供指标（{ $error }）：请换一个地址，或结束占用它的程序
