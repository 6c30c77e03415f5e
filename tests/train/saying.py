"""What rows of a decoder say."""

from agentdyno_train.decoding import Decoder


def say(decoder: Decoder, rows: list[int], most: int, seed: int | None = None) -> list[list[int]]:
    """What rows say until each is done."""
    heat, numbers = (0.0, None) if seed is None else (1.0, decoder.random_numbers(seed))
    said: dict[int, list[int]] = {row: [] for row in rows}
    going = list(rows)
    while going:
        budgets = {row: most - len(said[row]) for row in going}
        for row, ids in decoder.decode(budgets, heat, numbers).items():
            said[row] += ids
            if decoder.is_done(ids, budgets[row]):
                going.remove(row)
    return list(said.values())
