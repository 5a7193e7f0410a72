"""Corpora: listed, loaded from a dump, renamed, chosen, removed."""
