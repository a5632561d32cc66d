# Area: discovery
