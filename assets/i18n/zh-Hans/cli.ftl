# Area: cli
