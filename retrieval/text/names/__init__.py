"""Names of pages beside their titles: other forms of a name, and the names that a page gives itself."""
