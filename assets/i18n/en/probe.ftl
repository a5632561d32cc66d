# Area: probe
