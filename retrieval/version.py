"""The program's version, for `--version`, the About page and exports. CHANGELOG.md lists what is new."""

VERSION = "2.0.0"
PROGRAM = f"ESOTERIC {VERSION}"
