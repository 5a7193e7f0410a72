"""For programs that start a load and watch it: what it would take, its progress, and its limits."""
