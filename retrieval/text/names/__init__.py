"""Names of pages besides their titles: other forms of a name, and the names that a page gives itself."""
