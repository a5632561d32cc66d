# Area: glance. The small window that stays above the others, and lines for status bars.

# The line above the rows of the small window.
glance-free = Free now: { $model }
glance-nothing = Nothing is free
glance-looking = Looking
glance-offline = Your network is down
glance-paused = Paused
glance-paused-until = Paused until { $time }
glance-nobody = Nobody keeps watch
glance-empty = No targets yet

# The state of a target that is free.
glance-free-for = Free for { $age }
glance-slow-for = Slow, free for { $age }
# Of a model that is free: until when it usually is. $window is an end or "at any hour".
glance-quiet-on = Usually { $window }
# $window is one of the three below.
glance-quiet = Usually free { $window }
# From few samples.
glance-quiet-few = Free so far { $window }, few samples
# Of a model that is rarely free.
glance-quiet-likeliest = Likeliest free { $window }, { $percent } %
glance-window = { $from }–{ $to }
glance-window-open = until { $to }
glance-window-always = at any hour
# A row, said by a screen reader.
glance-row = { $model }: { $state }. { $next }
# The names of the small window and of its buttons.
glance-window-title = Vacancy at a glance
glance-open-main = Show the whole window
glance-close = Close
glance-demo = Demo

# The last line of a status bar's menu.
glance-bar-refresh = Refresh

# What is wrong with a template of `vacancy now --format`.
glance-format-unclosed = the template has a brace without an end at character { $column }; write {"{{"} for the brace itself
glance-format-stray = the template has a closing brace without a beginning at character { $column }; write {"}}"} for the brace itself
glance-format-unknown = the template does not know “{ $name }” at character { $column }; `vacancy now --help` lists the fields
glance-format-meant = the template does not know “{ $name }” at character { $column }; did you mean “{ $meant }”?
glance-format-whose = “{ $name }” is a fact of one target: write first_free.{ $name } or primary.{ $name }, or use it between {"{each}"} and {"{end}"}
glance-format-loop = {"{each}"}, {"{between}"} and {"{end}"} do not fit together: each begins, end ends, between stands once in the middle with plain text behind it
glance-format-target = the settings have no target “{ $target }”
glance-format-target-meant = the settings have no target “{ $target }”; did you mean “{ $meant }”?
