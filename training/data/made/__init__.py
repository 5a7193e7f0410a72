"""Pairs made by rule: each kind teaches something that is rare in published pairs."""
