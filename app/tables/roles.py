"""The roles that people have, by what each may do more than the one before."""

READER, CHECKER, ADMIN = "reader", "checker", "admin"
ROLES = (READER, CHECKER, ADMIN)
