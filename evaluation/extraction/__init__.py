"""Measures how well claims are found in texts: which sentences are worth checking, whether claims stand alone or mean
the same, and how many planted errors are found.
"""
