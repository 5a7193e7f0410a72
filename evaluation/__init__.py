"""Offline out: a data set and a pipeline become scores. Knows nothing of the web application."""
