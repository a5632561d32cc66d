# Area: engine
