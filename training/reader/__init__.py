"""The reader: how it is trained, from published pairs and from what the search finds."""
