"""Logistic models over figures of sentences; their coefficients stand in `weights/`."""
