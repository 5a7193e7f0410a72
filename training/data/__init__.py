"""Training data: published pairs and pairs made by rule, mixed in set shares."""
