"""Offline in: the FEVER dump, or a person's own documents, become a corpus that `retrieval` can search."""
