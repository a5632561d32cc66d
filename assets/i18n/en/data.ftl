# Area: data
