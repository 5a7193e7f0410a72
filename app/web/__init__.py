"""What browsers and scripts talk to: pages, JSON API, exports, health."""
