"""From a text to a report: claims found in it, all checked, reviewed and signed by a person."""
