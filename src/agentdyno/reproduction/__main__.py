"""Prints the page: `python -m agentdyno.reproduction > docs/reproduction.md`."""

import sys

from agentdyno.reproduction import render_markdown, reproduce

if __name__ == "__main__":
    sys.stdout.write(render_markdown(reproduce()))
