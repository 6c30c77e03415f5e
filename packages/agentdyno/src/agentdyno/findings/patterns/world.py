"""States of the world as numbers: two calls in the same state ask about the same world.

Leaves, per call, the state before it and the state after it. A call that may have written opens a
new state, a message of the user does too: something may have happened outside.
"""

from agentdyno.findings.patterns.reading import Reading


def world_states(reading: Reading) -> list[tuple[int, int]]:
    """(before, after) for every call."""
    states: list[tuple[int, int]] = []
    state, prompts = 0, iter(reading.prompts)
    prompt = next(prompts, None)
    for call, effect in zip(reading.calls, reading.effects, strict=True):
        while prompt is not None and prompt <= call.turn:
            state, prompt = state + 1, next(prompts, None)
        before = state
        # A call that failed or never ran changed nothing.
        if effect.may_write and call.executed and call.error is None:
            state += 1
        states.append((before, state))
    return states
