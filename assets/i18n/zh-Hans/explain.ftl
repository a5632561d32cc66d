# Area: explain
