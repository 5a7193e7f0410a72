"""Loads of corpora as durable work: a row, a process of the loader, and the thread that watches it."""
