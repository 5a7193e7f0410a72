"""Claims about films, books, songs and things: who made them, who is in them, where they are shown."""
