"""Collections: checks and reports, filed under a name and found there again."""
