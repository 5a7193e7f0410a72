"""Offline input: turns FEVER's or Wikimedia's dumps, or your own documents, into a corpus for `retrieval` to search."""
