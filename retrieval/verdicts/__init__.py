"""From evidence to a verdict that people can follow: policy, conflict between pages, reasons in words."""
