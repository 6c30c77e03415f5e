"""Many conversations on one model."""

import pytest

torch = pytest.importorskip("torch", reason="needs the depth extra")

from agentdyno_train.decoding import PIECE, Decoder, decode_rows
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


class Talk:
    """A conversation that is over after some turns."""

    def __init__(self, prompt: list[int], turns: int) -> None:
        self.context, self.left, self.over = list(prompt), turns, False
        self.heard: list[list[int]] = []

    def take(self, ids: list[int], seconds: float | None) -> list[int]:
        self.heard.append(ids)
        self.context += ids
        self.left -= 1
        self.over = self.left == 0
        more = [] if self.over else [3, 9]
        self.context += more
        return more


def test_rows_go_on_in_a_smaller_decoder_once_most_are_over() -> None:
    sizes = []

    def decoder_of(rows: int) -> Decoder:
        sizes.append(rows)
        return Decoder(tiny_model().model, [END], rows, 300)

    prompts = [[5 + row] * (3 + row) for row in range(40)]
    talks = [Talk(prompt, 3 if row in (7, 31) else 1) for row, prompt in enumerate(prompts)]
    decode_rows(decoder_of, talks, 5, 6, 0.0, 1)
    assert sizes == [40, 2]
    assert [len(talk.heard) for talk in talks] == [3 if row in (7, 31) else 1 for row in range(40)]
    for row in (0, 7, 31):
        context = list(prompts[row])
        for ids in talks[row].heard:
            assert ids == alone(context, 6)
            context += [*ids, 3, 9]
