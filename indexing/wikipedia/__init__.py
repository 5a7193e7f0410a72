"""Today's Wikipedia, from the dumps that Wikimedia makes of its search index each week."""
