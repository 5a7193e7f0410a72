"""Finding claims in texts: which are worth checking, stand alone or mean the same; planted errors found."""
