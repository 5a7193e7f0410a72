"""Questions about a claim, by rules."""
