"""Names of pages besides their titles: other forms of a name, and names that a page gives its subject."""
