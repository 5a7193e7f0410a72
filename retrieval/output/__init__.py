"""A check as others read it: JSON, text, a table."""
