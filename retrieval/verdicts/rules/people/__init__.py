"""Rules on people: who is from where, related to whom, in which band, and what has ended for whom."""
