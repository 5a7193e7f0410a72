"""Collections: checks and reports filed under a name."""
