"""Claims about places: where they lie, what they border, what countries belong to and pay with, what lives where."""
