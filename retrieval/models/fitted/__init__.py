"""Logistic models over features of sentences; their coefficients are in `weights/`."""
