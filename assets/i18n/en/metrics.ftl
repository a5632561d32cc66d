# Area: metrics. What is said of the address where Prometheus reads.

metrics-served = Metrics are at http://{ $address }/metrics
metrics-open = Every machine that reaches { $address } can read which models you watch and how they are. No key is told.
metrics-bind = Metrics cannot be served on { $address } ({ $error }): choose another address, or end the program that has it
