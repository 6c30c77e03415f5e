"""Which prefixes a server still has: runs of blocks against one block at a time."""

import random
from collections import OrderedDict

from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.cost.block_memory import NOBODY, BlockMemory, Path, name_paths

BLOCK = 16


class OneByOne:
    """vLLM's queue as it is described: a block is a number, its content the tokens up to it."""

    def __init__(self, blocks: int) -> None:
        self.queue: OrderedDict[int, None] = OrderedDict.fromkeys(range(blocks))
        self.content: dict[int, tuple[int, ...]] = {}
        self.where: dict[tuple[int, ...], int] = {}
        self.users: dict[int, int] = {}

    def find(self, tokens: list[int]) -> list[int]:
        found = []
        for end in range(BLOCK, len(tokens) + 1, BLOCK):
            block = self.where.get(tuple(tokens[:end]))
            if block is None:
                break
            found.append(block)
        return found

    def admit(self, tokens: list[int]) -> list[int]:
        own = self.find(tokens)
        for block in own:
            self.queue.pop(block, None)
            self.users[block] = self.users.get(block, 0) + 1
        return own + self.take(-(-len(tokens) // BLOCK) - len(own))

    def take(self, many: int) -> list[int]:
        taken = [self.queue.popitem(last=False)[0] for _ in range(many)]
        for block in taken:
            self.where.pop(self.content.pop(block, ()), None)
            self.users[block] = 1
        return taken

    def note(self, own: list[int], tokens: list[int]) -> None:
        for place in range(len(tokens) // BLOCK):
            content = tuple(tokens[: (place + 1) * BLOCK])
            self.content[own[place]] = content
            self.where[content] = own[place]

    def end(self, own: list[int]) -> None:
        for block in reversed(own):
            self.users[block] -= 1
            if not self.users[block]:
                self.queue[block] = None


class Sessions:
    """Conversations that grow, are compacted and share a beginning, as tokens and as counts."""

    def __init__(self, seed: int, many: int) -> None:
        chance = random.Random(seed)
        self.tokens: list[tuple[list[int], list[int]]] = []  # Prompt, and prompt with answer.
        self.first, self.parent, self.kept = [0], [], []
        fresh = iter(range(10**9))
        common = [next(fresh) for _ in range(chance.randrange(0, 90))]
        for index in range(many):
            history, shared = list(common), len(common)
            for turn in range(chance.randrange(1, 5)):
                kept = len(history)
                if turn and chance.random() < 0.3:
                    kept = chance.randrange(0, len(history))
                prompt = history[:kept] + [next(fresh) for _ in range(chance.randrange(1, 70))]
                history = prompt + [next(fresh) for _ in range(chance.randrange(1, 40))]
                opens = turn == 0
                self.parent.append((0 if index else NOBODY) if opens else len(self.tokens) - 1)
                self.kept.append(shared if opens else kept)
                self.tokens.append((prompt, history))
            self.first.append(len(self.tokens))

    def name_paths(self) -> tuple[list[Path], dict[int, int]]:
        context = [len(prompt) for prompt, _ in self.tokens]
        decode = [len(whole) - len(prompt) for prompt, whole in self.tokens]
        return name_paths(self.first, context, decode, self.kept, self.parent)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 10**6), many=st.integers(1, 7), blocks=st.integers(40, 120))
def test_runs_of_blocks_find_what_blocks_one_by_one_find(seed: int, many: int, blocks: int) -> None:
    sessions, chance = Sessions(seed, many), random.Random(seed)
    paths, cuts = sessions.name_paths()
    plain, memory = OneByOne(blocks), BlockMemory(blocks)
    next_turn = sessions.first[:-1]
    running: dict[int, tuple[int, list[int]]] = {}
    for _ in range(60):
        index = chance.randrange(many)
        if index in running:
            turn, own = running.pop(index)
            computed = sessions.tokens[turn][1][:-1]
            more = -(-len(computed) // BLOCK) - len(own)
            if more > len(plain.queue):
                running[index] = turn, own
                continue
            own += plain.take(max(more, 0))
            memory.take(max(more, 0))
            plain.note(own, computed)
            plain.end(own)
            memory.give_back(paths[turn], turn, len(computed) // BLOCK, len(own))
        elif next_turn[index] < sessions.first[index + 1]:
            turn = next_turn[index]
            prompt = sessions.tokens[turn][0]
            whole, size = len(prompt) // BLOCK, -(-len(prompt) // BLOCK)
            if turn in cuts:
                memory.disown(paths[turn][-1][0], cuts[turn])
            found, used = memory.find(paths[turn], whole)
            assert found == len(plain.find(prompt))
            if size - used > len(plain.queue):
                continue
            own = plain.admit(prompt)
            plain.note(own, prompt)
            memory.use(paths[turn], turn, found, whole, size)
            running[index] = turn, own
            next_turn[index] += 1
        assert memory.free == len(plain.queue)
