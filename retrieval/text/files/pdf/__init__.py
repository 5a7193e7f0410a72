"""PDF: from letters to lines, columns and paragraphs."""
