"""PDF: letters to lines, columns, paragraphs."""
