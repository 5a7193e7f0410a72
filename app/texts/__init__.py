"""A text whose claims are found and reviewed."""
