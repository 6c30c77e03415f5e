"""How busy the event loop is: whether a latency measured in it can be believed.

A loop that works more than half of the time, or that answers late, adds its own delay to every
latency it measures (53 ms at 256 connections and five-second calls, 100 ms and more when it is
saturated). The share is CPU time of the loop's own thread over wall time, over the call or the
last second, whichever is longer; the lag is the largest lateness of a timer in the last seconds.

    a call of 4 s during which the loop's thread used 1 s of CPU: share 0.25
"""

import asyncio
import time
from collections import deque
from weakref import WeakKeyDictionary

from msgspec import Struct

BUSY_SHARE = 0.5
"""A loop busier than this measures its own work too."""
LATE_SECONDS = 0.05
"""Timers later than this say the same."""
TICK_SECONDS = 0.25
_STORED_TICKS = 8
_WINDOW_SECONDS = 1.0


class Stamp(Struct, frozen=True, gc=False):
    """A moment, in three clocks."""

    wall: float
    """Seconds of real time."""
    loop_cpu: float
    """Seconds of CPU time of the loop's thread."""
    process_cpu: float
    """Seconds of CPU time of all threads."""
    late: float = 0.0
    """How late the timer was that made the stamp, in seconds."""


class Load(Struct, frozen=True):
    """How busy the process was during a call."""

    loop_share: float
    """CPU of the loop's thread over real time; 1 is a full core."""
    process_share: float
    """CPU of all threads over real time."""
    late_seconds: float
    """Lateness of the loop towards the end of the call."""

    @property
    def is_light(self) -> bool:
        """True when latencies measured meanwhile are the model's alone."""
        return self.loop_share <= BUSY_SHARE and self.late_seconds <= LATE_SECONDS


class LoopLoad:
    """Watches one event loop from inside of it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._ticks: deque[Stamp] = deque([now()], maxlen=_STORED_TICKS)
        self._due = time.perf_counter() + TICK_SECONDS
        loop.call_later(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        stamp = now(time.perf_counter() - self._due)
        self._ticks.append(stamp)
        self._due = stamp.wall + TICK_SECONDS
        self._loop.call_later(TICK_SECONDS, self._tick)

    def since(self, start: Stamp) -> Load:
        """The load from then to now."""
        end = now()
        old = [t for t in self._ticks if end.wall - t.wall >= _WINDOW_SECONDS]
        # Over a few milliseconds a loop is always either idle or busy.
        first = start if end.wall - start.wall >= _WINDOW_SECONDS else (old or self._ticks)[-1]
        first = min(first, start, key=lambda stamp: stamp.wall)
        wall = max(end.wall - first.wall, 1e-9)
        late = max(end.wall - self._due, *(tick.late for tick in self._ticks))
        return Load(
            (end.loop_cpu - first.loop_cpu) / wall,
            (end.process_cpu - first.process_cpu) / wall,
            max(late, 0.0),
        )


def now(late: float = 0.0) -> Stamp:
    """This moment, for the calling thread."""
    return Stamp(time.perf_counter(), time.thread_time(), time.process_time(), late)


_watched: "WeakKeyDictionary[asyncio.AbstractEventLoop, LoopLoad]" = WeakKeyDictionary()


def loop_load() -> LoopLoad:
    """The watcher of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _watched:
        _watched[loop] = LoopLoad(loop)
    return _watched[loop]
