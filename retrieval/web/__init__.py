"""The open web, if WEB switches it on: search, guarded fetching, and the text of pages."""
