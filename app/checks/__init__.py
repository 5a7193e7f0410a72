"""A check as people and programs see it: pages, HTTP, exports."""
