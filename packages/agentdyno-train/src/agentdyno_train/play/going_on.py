"""How to play the rest of a folder of plays: its options in, a command out."""

import shlex
from pathlib import Path

from agentdyno.records import printable
from agentdyno_train.play.plays import PlayOptions

SCRIPT = "python bench/gpu_training/sheet.py"
NAMED = ("easy", "hard", "toolfail", "tir", "sampled", "samples", "continued", "continuations",
         "timed", "turns", "turn_tokens", "window", "seats")  # fmt: skip
"""Options of the script, by their names here; the same options go on with the same plays."""


def go_on(folder: Path, asked: PlayOptions) -> str:
    """A sentence with the command that plays what a folder lacks."""
    return f"To play the rest (what is there is not played again): {command_for(asked, folder)}"


def command_for(asked: PlayOptions, folder: Path | None = None) -> str:
    """The command that plays; all agents are named, for other plays would be refused."""
    out = "FOLDER" if folder is None else shlex.quote(str(folder))
    agents = [f"--agent {shlex.quote(printable(f'{n}={w}', 300))}" for n, w in asked.agents.items()]
    sizes = [f"--{name.replace('_', '-')} {getattr(asked, name)}" for name in NAMED]
    return " ".join([SCRIPT, f"--out {out}", *agents, *sizes])
