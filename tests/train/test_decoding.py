"""Many conversations on one model."""

import pytest

torch = pytest.importorskip("torch", reason="needs the depth extra")

from agentdyno_train.decoding import PIECE, Decoder
from tests.tiny import tiny_model

END = 256


def alone(prompt: list[int], most: int) -> list[int]:
    """What the model says by itself, greedily, everything read anew for each token."""
    model, said = tiny_model().model, list[int]()
    with torch.inference_mode():
        while len(said) < most and END not in said:
            logits = model(input_ids=torch.tensor([prompt + said])).logits[0, -1]
            said.append(int(logits.argmax()))
    return said


def test_rows_of_different_lengths_say_what_each_says_alone() -> None:
    prompts = [[5, 6, 7], [9] * 40, list(range(100, 160)), [1]]
    decoder = Decoder(tiny_model().model, [END], 4, 400)
    decoder.begin(prompts)
    assert decoder.decode([True] * 4, 30) == [alone(p, 30) for p in prompts]


def test_several_turns_are_as_if_everything_were_read_anew() -> None:
    first, second = [[5, 6, 7], [9] * 30, [3, 4]], [[8, 8], [], [7] * 20]
    decoder = Decoder(tiny_model().model, [END], 3, 600)
    decoder.begin(first)
    said = decoder.decode([True, True, True], 12)
    decoder.feed(second)
    again = decoder.decode([True, False, True], 12)
    assert again[1] == []
    for row in (0, 2):
        assert again[row] == alone(first[row] + said[row] + second[row], 12)
    decoder.feed([[], [4, 4], []])
    third = decoder.decode([False, True, False], 9)
    assert third[1] == alone(first[1] + said[1] + [4, 4], 9)


def test_long_prompts_are_read_in_pieces() -> None:
    prompts = [[7, 8] * (PIECE // 2 + 30), [5]]
    decoder = Decoder(tiny_model().model, [END], 2, 2 * PIECE)
    decoder.begin(prompts)
    assert decoder.decode([True, True], 8) == [alone(p, 8) for p in prompts]


def test_sampling_depends_on_the_seed_alone() -> None:
    decoder = Decoder(tiny_model().model, [END], 2, 200)
    found = []
    for seed in (1, 1, 2):
        decoder.begin([[5, 6], [7]])
        found.append(decoder.decode([True, True], 20, 1.0, seed))
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_room_is_told_before_it_runs_out() -> None:
    decoder = Decoder(tiny_model().model, [END], 1, 50)
    decoder.begin([[5] * 20])
    assert decoder.has_room([[1] * 10], 19)
    assert not decoder.has_room([[1] * 10], 20)
