"""Claims as people type and paste them: what stands around the statement is taken off before anything reads it."""
