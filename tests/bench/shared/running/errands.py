"""What processes of the tests do; importing it loads nothing heavy into each of them."""

import os
import time
from pathlib import Path

from agentdyno.records import InputError


def touch(path: Path) -> None:
    path.touch()


def complain_or_wait(number: int) -> None:
    if number == 0:
        raise InputError("expected more, found 0.")
    time.sleep(600)


def vanish(number: int) -> None:
    os._exit(9)
