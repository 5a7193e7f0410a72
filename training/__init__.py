"""Fits the models that ship with the project: one command makes each again (`python -m training --help`)."""
