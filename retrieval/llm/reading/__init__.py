"""Takes apart what models write: thinking, JSON that is not quite JSON, and the parts of a reply."""
