"""Prints the page: `python -m agentdyno_bench.reproduction > docs/reproduction.md`."""

import sys

from agentdyno_bench.reproduction import render_markdown, reproduce

if __name__ == "__main__":
    sys.stdout.write(render_markdown(reproduce()))
