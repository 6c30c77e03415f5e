"""Prints the page: `python -m agentdyno.pipelines.reproduce > docs/reproduction.md`."""

import sys

from agentdyno.pipelines.reproduce import render_markdown, reproduce

if __name__ == "__main__":
    sys.stdout.write(render_markdown(reproduce()))
