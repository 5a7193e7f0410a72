"""What stands before a check: choices with their costs, tables of claims, and what was checked before."""
