"""Before a check: choices with their costs, tables of claims, comparison, and what was checked before."""
