"""What makes evidence a verdict that people can follow: conflict between pages, reasons in words."""
