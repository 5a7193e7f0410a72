"""Claims about events: who won them, how often they take place."""
