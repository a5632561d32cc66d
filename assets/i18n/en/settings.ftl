# Area: settings
