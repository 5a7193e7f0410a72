"""The open web, where WEB switches it on: search, guarded fetching, and the text of pages."""
