"""Cached blocks of a serving engine: which prefixes are still there, and who pushed out the rest.

Takes what requests begin with and how long they are; returns how much of it is still in memory. It
knows nothing of time, of steps or of trajectories' sizes.

As in vLLM, a block holds some tokens of one conversation. Blocks in use stay. When a request ends,
its blocks go to the end of a queue, the last of the conversation first; new blocks come from the
front of that queue. So the conversation that nobody asked for longest loses its end first and its
beginning last. A prompt finds the longest beginning that is still whole.

Blocks are kept as runs, never one by one: a *piece* is a stretch of conversation that was computed
once, a *run* the part of a piece that waits in the queue. A conversation is a path of pieces: its
own, behind those that it shares with the one it was forked from. What a conversation drops when
it is compacted stays in the queue until its turn comes.
"""

import math
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal

Policy = Literal["vllm", "sglang", "keep-while-tool-runs", "none", "infinite"]
"""`vllm`: least recently used, the end first · `sglang`: the same token by token, as its radix tree
does · `keep-while-tool-runs`: a conversation that goes on keeps its blocks until it is back, unless
nothing else could run: then the one that began last loses them · `none`: nothing is kept ·
`infinite`: nothing is ever pushed out."""
DEFAULT_POLICY: Policy = "vllm"
BLOCK_TOKENS = 16
"""Tokens of a block: vLLM's default."""

Path = tuple[tuple[int, int, int], ...]
"""Pieces of a conversation in order, each with its first block and one beyond its last; the last
piece has no end."""
ENDLESS = 1 << 62
NOBODY = -1
MOST_TOKENS = 1 << 31
"""More than any prompt has: kept whole."""


class _Run:
    """Blocks of a piece that nobody uses, the highest goes first; before it `blanks`, which hold
    nothing that anybody will ask for."""

    __slots__ = ("blanks", "high", "low", "piece", "queue")

    def __init__(self, piece: int, low: float, high: float, blanks: float = 0) -> None:
        self.piece, self.low, self.high, self.blanks = piece, low, high, blanks
        self.queue: OrderedDict[int, _Run]


class _Piece:
    """The part of a stretch of conversation that is in memory."""

    __slots__ = ("first", "lost_to", "runs", "used")

    def __init__(self, first: int) -> None:
        self.first = first
        self.used: dict[int, int] = {}  # By request: one beyond its last block here.
        self.runs: list[_Run] = []
        self.lost_to = NOBODY

    @property
    def used_end(self) -> int:
        return max(self.used.values(), default=self.first)

    def reach(self) -> float:
        """One beyond the last block that is here without a gap."""
        end: float = self.used_end
        is_longer = bool(self.runs)
        while is_longer:
            is_longer = False
            for run in self.runs:
                if run.low <= end < run.high:
                    end, is_longer = run.high, True
        return end


class BlockMemory:
    """A memory of so many blocks; `free` of them are in nobody's use, whatever they hold."""

    def __init__(self, blocks: float, policy: Policy = "vllm") -> None:
        self.policy = policy
        self.free: float = math.inf if policy == "infinite" else blocks
        self._queue: OrderedDict[int, _Run] = OrderedDict()
        self._paused: dict[int, OrderedDict[int, _Run]] = {}
        self._pieces: dict[int, _Piece] = {}
        self._append(_Run(NOBODY, 0, self.free), self._queue)

    def find(self, path: Path, most: int) -> tuple[int, int]:
        """Blocks at the beginning of a conversation that are still here, at most so many; and how
        many of these others use right now."""
        cached = used = 0
        for number, first, end in path:
            piece = self._pieces.get(number)
            if piece is None:
                break
            reached = min(piece.reach(), end, most)
            used += max(min(piece.used_end, int(reached)) - first, 0)
            cached = max(int(reached), cached)
            if reached < min(end, most):
                break
        return cached, used

    def disown(self, number: int, cut: int) -> None:
        """A conversation went on otherwise from this block of its piece on: what waits in the queue
        beyond stays there, and nobody will ask for it."""
        piece = self._pieces.get(number)
        for run in [run for run in piece.runs if run.high > cut] if piece else ():
            low = max(run.low, cut)
            self._split(run, low, low, run.high)

    def use(self, path: Path, user: int, cached: int, full_blocks: int, blocks: int) -> None:
        """A request uses the cached blocks of its conversation, and new blocks for the rest.

        `full_blocks` of it hold conversation; of all `blocks` the last may be half full.
        """
        for number, first, end in path:
            if first >= full_blocks:
                break
            self._claim(number, first, min(end, full_blocks), min(max(cached, first), end), user)
        self.take(blocks - cached, user)

    def take(self, blocks: float, user: int = NOBODY) -> None:
        """New blocks, from the front of the queue; beyond what is free the memory overflows."""
        self.free -= blocks
        while blocks > 0 and (queue := self._next_queue()) is not None:
            run = next(iter(queue.values()))
            blank = min(blocks, run.blanks)
            cut = min(blocks - blank, run.high - run.low)
            run.blanks -= blank
            run.high -= cut
            blocks -= blank + cut
            if cut and run.piece != NOBODY:
                self._pieces[run.piece].lost_to = user
            if not run.blanks and run.high <= run.low:
                self._remove(run)

    def give_back(
        self, path: Path, user: int, full_blocks: int, blocks: int, goes_on: int | None = None
    ) -> None:
        """A request ends; `goes_on` is its conversation's number, None where that is over."""
        queue = self._queue
        if self.policy == "keep-while-tool-runs" and goes_on is not None:
            queue = self._paused.setdefault(goes_on, OrderedDict())
        blanks = blocks - full_blocks
        self.free += blanks
        if queue is not self._queue:  # Nobody waits for what holds nothing.
            self._append(_Run(NOBODY, 0, 0, blanks), self._queue)
            blanks = 0
        for number, first, end in reversed(path):
            if first >= full_blocks:
                continue
            upto = min(end, full_blocks)
            piece = self._claim(number, first, upto, first, user)
            piece.used.pop(user)
            low = max(piece.used_end, first)
            if upto > low:
                self.free += upto - low
                self._append(_Run(number, low, upto, blanks), queue)
                blanks = 0
        self._append(_Run(NOBODY, 0, 0, blanks), self._queue)

    def lost_to(self, path: Path, cached: int) -> int:
        """The user that took the block behind the cached ones; NOBODY where that is not known."""
        for number, first, end in path:
            if first <= cached < end:
                piece = self._pieces.get(number)
                return NOBODY if piece is None else piece.lost_to
        return NOBODY

    def count_reserved(self, number: int) -> float:
        """Blocks that are kept for other conversations than this one."""
        return sum(
            run.high - run.low + run.blanks
            for other, queue in self._paused.items()
            if other != number
            for run in queue.values()
        )

    def _claim(self, number: int, first: int, end: int, cached: int, user: int) -> _Piece:
        """Blocks of a piece up to `end` are in use; those up to `cached` were in the queue."""
        piece = self._pieces.setdefault(number, _Piece(first))
        begin = piece.used_end
        for run in [run for run in piece.runs if run.low < end and run.high > begin]:
            self._split(run, max(begin, run.low), min(cached, run.high), min(end, run.high))
        piece.used[user] = max(piece.used.get(user, first), end)
        return piece

    def _split(self, run: _Run, low: float, cached: float, end: float) -> None:
        """Take [low, cached) out of a run in the queue; [cached, end) is computed again elsewhere,
        so what waits here is a copy that nobody will ask for."""
        copy = max(cached, low)
        self.free -= copy - low
        if run.low < low and end < run.high:
            self._cut_in_two(run, low, copy, end)
            return
        run.blanks += end - copy
        if run.low < low:
            run.high = low
        else:
            run.low = end
        if run.low < run.high:
            return
        if not run.blanks:
            self._remove(run)
        elif run.piece != NOBODY:
            self._pieces[run.piece].runs.remove(run)
            run.piece, run.low, run.high = NOBODY, 0, 0

    def _cut_in_two(self, run: _Run, low: float, copy: float, end: float) -> None:
        """Replace a run by its remainders above and below, at the same position in the queue."""
        queue, keys = run.queue, list(run.queue)
        parts = [
            _Run(run.piece, end, run.high, run.blanks),
            _Run(run.piece, run.low, low, end - copy),
        ]
        position = keys.index(id(run))
        self._remove(run)
        for part in parts:
            self._append(part, queue)
        for key in keys[position + 1 :]:
            queue.move_to_end(key)

    def _append(self, run: _Run, queue: "OrderedDict[int, _Run]") -> None:
        if run.high <= run.low and not run.blanks:
            return
        run.queue = queue
        queue[id(run)] = run
        if run.piece != NOBODY:
            self._pieces[run.piece].runs.append(run)

    def _remove(self, run: _Run) -> None:
        del run.queue[id(run)]
        if run.piece != NOBODY:
            self._pieces[run.piece].runs.remove(run)

    def _next_queue(self) -> "OrderedDict[int, _Run] | None":
        """The queue that gives the next block; None when all are empty."""
        if self._queue:
            return self._queue
        while self._paused:
            latest = max(self._paused)
            if self._paused[latest]:
                return self._paused[latest]
            del self._paused[latest]
        return None


def name_paths(
    first: Sequence[int],
    context: Sequence[int],
    decode: Sequence[int],
    retained: Sequence[int] | None,
    parent: Sequence[int] | None,
    block: int = BLOCK_TOKENS,
) -> tuple[list[Path], dict[int, int]]:
    """Per turn: the pieces that its conversation is made of; and by turn the block from which on
    its last piece is written anew.

    A turn goes on where its parent ended (the turn before, unless another is named; NOBODY: none),
    with the first `retained` tokens of the parent's prompt and answer; all of them where that is
    not known. Only the first turn that goes on from a parent lengthens its piece; others fork. Of a
    conversation that nobody else goes on from, what it drops is never asked for again, so that it
    stays one piece however often it drops something.
    """
    paths: list[Path] = []
    cuts: dict[int, int] = {}
    opens, is_last = set(first), set()
    forked = set() if parent is None else {
        bisect_right(first, parent[turn]) for turn in opens if turn < len(context)
    }  # fmt: skip
    for turn, tokens in enumerate(context):
        default = NOBODY if turn in opens else turn - 1
        origin = default if parent is None else parent[turn]
        if origin == NOBODY:
            paths.append(((turn, 0, ENDLESS),))
            is_last.add(turn)
            continue
        before = context[origin] + decode[origin]
        stays = before if retained is None else min(retained[turn], before)
        full_blocks = min(stays, tokens) // block
        is_whole = full_blocks >= (before - 1) // block
        is_next = origin == turn - 1 and turn not in opens
        is_own = is_next and bisect_right(first, turn) not in forked
        if origin in is_last and (is_whole or (is_own and full_blocks > paths[origin][-1][1])):
            is_last.discard(origin)
            paths.append(paths[origin])
            if not is_whole:
                cuts[turn] = full_blocks
        else:
            paths.append((*_cut(paths[origin], full_blocks), (turn, full_blocks, ENDLESS)))
        is_last.add(turn)
    return paths, cuts


def _cut(path: Path, blocks: int) -> Path:
    return tuple((piece, low, min(high, blocks)) for piece, low, high in path if low < blocks)
