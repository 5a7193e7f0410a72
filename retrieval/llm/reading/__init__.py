"""What models write, taken apart: thinking, JSON that is not quite JSON, and the parts of a reply."""
