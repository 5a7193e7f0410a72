"""The images really built and the stack really run: `make test-containers`."""
