# 自动切换工具的规则。

rule-already-there = 已经在用它了。
rule-no-effect = 即使写入，{ $tool } 仍会使用别的模型。请在“切换”页查看是什么在起决定作用。
rule-no-hands = 无法切换该工具：等待切换的太多，或者这里不允许写入。请再试一次，或使用“切换”页。

rule-title = 自动切换
rule-change = 更改…
rule-menu = 自动切换：{ $mode }
rule-mode-off = 关闭
rule-mode-ask = 先问我
rule-mode-auto = 自动
rule-mode-own = 按设置文件
rule-off = 已关闭：只有你自己会切换它。
rule-away-ask = 链上第一个模型确认不空闲时，会先问你。
rule-away-auto = 链上第一个模型确认不空闲时，自动换到第一个空闲的模型。
rule-back-ask = 它再次空闲时，会先问你。
rule-back-auto = 之后自动换回。
rule-unknown = 还没有读取该工具，或者它用不了链上的任何模型。
rule-asked = 正在问你是否改用 { $model }。
rule-standing-in = 自 { $time } 起由 { $model } 代替 { $first }。
rule-returns-by-hand = 由你自己换回。
rule-returns-when-free = { $first } 连续空闲 { $span } 后换回。
rule-returns-at = 如果 { $first } 保持空闲，最早 { $time } 换回。
rule-own-choice = 你选了别的模型：在它重新使用 { $first } 之前不会去动它。
rule-held-off = 你在 { $time } 撤销了切换：等 { $first } 下一次变化后再继续。
rule-stands-in = 在 { $tool } 中代替 { $first }
rule-consent = Vacancy 会修改 { $tool } 设置里的模型：链上第一个模型确认不空闲时换走，空闲一段时间后再换回。每次修改都会告诉你，并且可以撤销。
rule-consent-never = 它不会动你自己选的模型，不会根据过时或未确认的状态、也不会因为你自己的网络问题而行动；不能忠实修改的就不改，并说明原因。
