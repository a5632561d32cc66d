# Area: demo
