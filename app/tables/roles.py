"""The roles of people: a reader only reads, a checker also checks claims, an admin may do everything."""

READER, CHECKER, ADMIN = "reader", "checker", "admin"
ROLES = (READER, CHECKER, ADMIN)
