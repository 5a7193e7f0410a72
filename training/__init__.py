"""Fits the models that ship with the project, one command for each (`python -m training --help`)."""
