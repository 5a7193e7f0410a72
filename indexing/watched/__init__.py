"""What a program that starts a load and watches it needs: what it would take, how far it is, and where it may connect."""
