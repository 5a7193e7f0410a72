"""The stance model alone, pair by pair."""
