"""Claims of AVeriTeC: runs, scores, tables."""
