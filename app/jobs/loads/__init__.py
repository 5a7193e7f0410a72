"""Loads of corpora as durable work: a row, a process of the loader, and a thread that watches it."""
