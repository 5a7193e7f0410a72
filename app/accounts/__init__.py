"""Accounts: people, how they sign in, what they own, and the audit log. Inactive unless ACCOUNTS is on."""
