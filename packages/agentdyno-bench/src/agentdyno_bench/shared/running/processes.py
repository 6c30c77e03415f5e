"""Runs a function in several processes at once, all of them to the end or none.

Unlike a pool, nothing is waited for after an error or Ctrl-C: the processes are killed, because
what they had finished is on disk. They die with their parent too.
"""

import signal
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TypeVar

from agentdyno.engines.children import create_isolated_context, die_with_parent
from agentdyno.records import InputError

Item = TypeVar("Item")


def run_all(function: Callable[[Item], None], items: Sequence[Item]) -> None:
    """One process for each item; the first error of any of them ends all."""
    context = create_isolated_context()
    started: list[tuple[BaseProcess, Connection]] = []
    try:
        for item in items:
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=_child, args=(function, item, sender))
            process.start()
            sender.close()
            started.append((process, receiver))
        _collect([receiver for _, receiver in started])
    finally:
        for child, receiver in started:
            child.kill()
            child.join()
            receiver.close()


def _child(function: Callable[[Item], None], item: Item, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer.
    die_with_parent()
    try:
        function(item)
        pipe.send(None)
    except InputError as error:
        pipe.send(str(error))
    except BaseException as error:
        pipe.send(f"{type(error).__name__}: {error}")


def _collect(waiting: list[Connection]) -> None:
    while waiting:
        for ready in wait(waiting):
            assert isinstance(ready, Connection)
            waiting.remove(ready)
            try:
                problem = ready.recv()
            except EOFError:
                raise InputError(
                    "A process of the run ended unexpectedly, most likely out of memory. What was "
                    "finished is kept: run the command again, with a lower --concurrency if it "
                    "happens again."
                ) from None
            if problem is not None:
                raise InputError(problem)
