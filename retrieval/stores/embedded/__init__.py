"""The store in a folder: tantivy's index and a memory-mapped matrix of page vectors."""
