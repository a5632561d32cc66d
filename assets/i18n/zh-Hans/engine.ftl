# Area: engine. Notices outside the window.

engine-recovered = { $model } 又可用了
engine-recovered-body = { $provider }：此前有 { $minutes } 分钟不可用。
engine-recovered-body-soon = { $provider }：此前不可用不到一分钟。
