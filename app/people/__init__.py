"""The people who have an account, as admins see and change them."""
