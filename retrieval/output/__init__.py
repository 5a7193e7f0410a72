"""A check for readers: JSON, text, a table."""
