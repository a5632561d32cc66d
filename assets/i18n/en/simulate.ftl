# Area: simulate
