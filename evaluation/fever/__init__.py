"""Claims of FEVER: runs, scores, comparisons of two runs, the ablation."""
