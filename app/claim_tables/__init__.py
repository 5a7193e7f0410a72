"""A table of claims: sent, its column chosen, checked as a report."""
