"""Claims about places: where they lie, what they border, what they were called before."""
