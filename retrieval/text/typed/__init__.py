"""Claims as people type and paste them: everything around the statement is removed before a model reads it."""
