"""The version of the program, as `--version`, the About page and exports tell it; CHANGELOG.md says what it brings."""

VERSION = "2.0.0"
PROGRAM = f"ESOTERIC {VERSION}"
