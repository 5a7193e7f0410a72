"""The database: one module a table, and what they share."""
