"""Pairs made by rule, each kind for something that published pairs teach too seldom."""
