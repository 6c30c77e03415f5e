"""The command `agentdyno`. One file per verb: parse, call a pipeline, print.

Pipelines are imported inside the verbs, so that `--help` stays quick.
"""

from agentdyno.cli.app import main

__all__ = ["main"]
