"""Claims as people type and paste them: what surrounds the statement is removed before a model reads it."""
