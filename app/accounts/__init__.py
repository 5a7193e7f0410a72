"""Who is who: people, how they sign in, what is theirs, and the log of what they did. All of it sleeps unless ACCOUNTS is on."""
