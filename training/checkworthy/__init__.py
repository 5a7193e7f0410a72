"""Trains the model that finds sentences worth checking: debates, examples, calibration."""
