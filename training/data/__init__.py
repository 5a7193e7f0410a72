"""What the models learn from: published pairs, and pairs made by rule, mixed by share."""
