"""A batching engine that forgets: what a prompt finds in the cache depends on who ran meanwhile.

Takes requests by turn and the conversation each goes on with (`block_memory.Path`); admits them as
`batching.Engine` does, with as much of their prompt computed as the memory still holds. A second,
larger memory behind the first (host memory) brings back what the card lost, for the time that the
copy takes; everything computed is also stored there, as vLLM's offloading does.
"""

import math
from collections import deque
from collections.abc import Collection, Mapping, Sequence

from agentdyno.cost.batching import Engine, EngineLimits, Request
from agentdyno.cost.block_memory import BLOCK_TOKENS, NOBODY, BlockMemory, Path
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import StepModel


class EvictingEngine(Engine):
    """`paths` and `cuts` by turn as `name_paths` has them; `owners` says whose turn each is,
    `lasts` which are their owner's last."""

    def __init__(
        self,
        shape: Architecture,
        model: StepModel,
        limits: EngineLimits,
        paths: Sequence[Path],
        cuts: Mapping[int, int],
        owners: Sequence[int],
        lasts: Collection[int],
    ) -> None:
        super().__init__(shape, model, limits)
        self.block = 1 if limits.policy == "sglang" else BLOCK_TOKENS
        policy = limits.policy or "vllm"
        self._memory = BlockMemory(self._count_blocks(limits.cache_tokens), policy)
        has_host = limits.host_tokens > 0 and policy != "none"
        self._host = BlockMemory(self._count_blocks(limits.host_tokens)) if has_host else None
        self._paths, self._cuts, self._owners, self._lasts = paths, cuts, owners, lasts
        self._sizes: dict[int, int] = {}  # Blocks that each running request was admitted with.
        self._loading: list[tuple[float, Request]] = []
        self._grown, self._taken = 0.0, 0  # Blocks that answers need, and that they were given.
        self.found: dict[int, int] = {}
        self.lost_to: dict[int, int] = {}

    def _count_blocks(self, tokens: float) -> float:
        return tokens if tokens == math.inf else tokens // self.block

    @property
    def idle(self) -> bool:
        """True when nothing runs, waits or is on its way from the host."""
        return not self._loading and super().idle

    def advance(self, until: float) -> list[Request]:
        """As the engine's own; requests join when their copy from the host is complete."""
        if self._loading:
            until = min(until, self._loading[0][0])
            if not self._batch and not self.prefilling:
                ready, request = self._loading[0]
                request.waiting += max(ready - self.clock, 0.0)
                self.clock = max(self.clock, ready)
            while self._loading and self._loading[0][0] <= self.clock:
                self._join(self._loading.pop(0)[1])
        if len(self.waiting) > 1 and self.limits.policy == "keep-while-tool-runs":
            # Whoever began first goes first, so that what is kept is used and set free.
            self.waiting = deque(sorted(self.waiting, key=lambda r: self._owners[r.owner]))
        return super().advance(until)

    def _needs(self, request: Request) -> float:
        blocks = math.ceil((request.context + request.to_prefill) / self.block)
        _, used = self._memory.find(self._paths[request.owner], blocks)
        reserved = self._memory.count_reserved(self._owners[request.owner])
        return (blocks - used + reserved) * self.block + self.limits.sequence_tokens

    def _free_tokens(self) -> float:
        return self._memory.free * self.block

    def _admit(self, request: Request) -> bool:
        path, owner = self._paths[request.owner], request.owner
        tokens = int(request.context + request.to_prefill)
        full_blocks, blocks = tokens // self.block, -(-tokens // self.block)
        if owner in self._cuts and owner not in self.found:
            for memory in filter(None, (self._memory, self._host)):
                memory.disown(path[-1][0], self._cuts[owner])
        in_memory, used = self._memory.find(path, full_blocks)
        brought = self._bring(path, in_memory, full_blocks)
        cached = min((in_memory + brought) * self.block, (tokens - 1) // self.block * self.block)
        if owner not in self.found:
            self.found[owner] = cached
            self.lost_to[owner] = self._memory.lost_to(path, in_memory)
        self._memory.use(path, owner, in_memory, full_blocks, blocks + self._extra)
        self._sizes[owner] = blocks
        request.context, request.to_prefill = float(cached), float(tokens - cached)
        request.shared = min(used * self.block, cached)
        if not brought:
            self._join(request)
            return True
        # Copies are made one after the other.
        free = max(self.clock, self._loading[-1][0] if self._loading else 0.0)
        ready = free + brought * self.block * self.limits.host_token_seconds
        self._loading.append((ready, request))
        return False

    def _join(self, request: Request) -> None:
        request.admitted = self._count
        self._count += 1
        self._note_order(request)
        self.prefilling.append(request)

    @property
    def _extra(self) -> int:
        """Blocks that a request holds for its states and windows."""
        return math.ceil(self.limits.sequence_tokens / self.block)

    def _bring(self, path: Path, in_memory: int, full_blocks: int) -> int:
        """Blocks behind those in memory that the host still has."""
        if self._host is None:
            return 0
        on_host = self._host.find(path, full_blocks)[0]
        self._store(path, on_host)
        return max(on_host - in_memory, 0)

    def _store(self, path: Path, full_blocks: int) -> None:
        """In the host's memory a conversation becomes the one used last."""
        if self._host is not None and full_blocks:
            on_host = self._host.find(path, full_blocks)[0]
            self._host.use(path, NOBODY, on_host, full_blocks, full_blocks)
            self._host.give_back(path, NOBODY, full_blocks, full_blocks)

    def _grow(self, steps: int) -> None:
        super()._grow(steps)
        self._grown += self._batch * steps * self.limits.tokens_per_step / self.block
        if (more := int(self._grown) - self._taken) > 0:
            self._memory.take(more)
            self._taken += more

    def _leave(self, request: Request) -> Request:
        """Give back the blocks of a request that ended, or that lost its place."""
        owner, path = request.owner, self._paths[request.owner]
        tokens = int(request.context)
        full_blocks, blocks = tokens // self.block, -(-tokens // self.block)
        more = blocks - self._sizes.pop(owner)
        self._grown -= max(more, 0)
        self._taken -= max(more, 0)
        if self._taken < 0:
            self._memory.take(-self._taken, owner)
            self._taken = 0
        left_over = self._taken if not self._batch else 0
        if not self._batch:
            self._grown, self._taken = 0.0, 0
        used = blocks + self._extra + left_over
        goes_on = None if owner in self._lasts else self._owners[owner]
        self._memory.give_back(path, owner, full_blocks, used, goes_on)
        self._store(path, full_blocks)
        request.admitted = -1
        return request
