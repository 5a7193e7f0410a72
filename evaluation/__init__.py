"""Offline output: turns a data set and a pipeline into scores. Knows nothing of the web application."""
