# Area: ui
