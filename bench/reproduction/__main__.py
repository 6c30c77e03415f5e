"""Prints the page: `python -m bench.reproduction > docs/reproduction.md`; `--all`: every check."""

import sys

from bench.reproduction import render_markdown, reproduce

if __name__ == "__main__":
    sys.stdout.write(render_markdown(reproduce(), everything="--all" in sys.argv[1:]))
