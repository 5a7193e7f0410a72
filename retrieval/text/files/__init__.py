"""Reads texts from files: formats, encodings, and what a page hides."""
