"""Corpora: list, load from a dump, rename, choose, remove."""
