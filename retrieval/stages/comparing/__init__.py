"""Rules on sentences that were read: which say nothing of the claim, and which decide it."""
