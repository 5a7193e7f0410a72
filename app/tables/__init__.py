"""The database: a module for each table, and what they share."""
