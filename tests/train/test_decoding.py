"""Many conversations on one model."""

import pytest

torch = pytest.importorskip("torch", reason="needs the depth extra")

from agentdyno_train.decoding import PIECE, Decoder, Limits, decode_conversations
from tests.tiny import tiny_model
from tests.train.saying import say

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
    decoder.read(dict(enumerate(prompts)))
    assert say(decoder, [0, 1, 2, 3], 30) == [alone(p, 30) for p in prompts]


def test_several_turns_are_as_if_everything_were_read_anew() -> None:
    first, second = [[5, 6, 7], [9] * 30, [3, 4]], {0: [8, 8], 2: [7] * 20}
    decoder = Decoder(tiny_model().model, [END], 3, 600)
    decoder.read(dict(enumerate(first)))
    said = say(decoder, [0, 1, 2], 12)
    # The last token of a turn has not been read.
    decoder.read({row: [said[row][-1], *chunk] for row, chunk in second.items()})
    again = dict(zip((0, 2), say(decoder, [0, 2], 12), strict=True))
    for row, chunk in second.items():
        assert again[row] == alone(first[row] + said[row] + chunk, 12)
    decoder.read({1: [said[1][-1], 4, 4]})
    assert say(decoder, [1], 9) == [alone(first[1] + said[1] + [4, 4], 9)]


def test_a_row_is_used_again_beside_one_that_goes_on() -> None:
    decoder = Decoder(tiny_model().model, [END], 2, 300)
    decoder.read({0: [5] * 60, 1: [9, 8]})
    longer = say(decoder, [1], 7)[0]
    say(decoder, [0], 3)
    decoder.begin(0)
    decoder.read({0: [4, 4], 1: [longer[-1], 6]})
    assert say(decoder, [0, 1], 10) == [alone([4, 4], 10), alone([9, 8, *longer, 6], 10)]


def test_long_prompts_are_read_in_pieces() -> None:
    prompts = [[7, 8] * (PIECE // 2 + 30), [5]]
    decoder = Decoder(tiny_model().model, [END], 2, 2 * PIECE)
    decoder.read(dict(enumerate(prompts)))
    assert say(decoder, [0, 1], 8) == [alone(p, 8) for p in prompts]


def test_sampling_depends_on_the_seed_alone() -> None:
    decoder = Decoder(tiny_model().model, [END], 2, 200)
    found = []
    for seed in (1, 1, 2):
        for row in (0, 1):
            decoder.begin(row)
        decoder.read({0: [5, 6], 1: [7]})
        found.append(say(decoder, [0, 1], 20, seed))
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_a_row_without_room_is_refused() -> None:
    decoder = Decoder(tiny_model().model, [END], 1, 50)
    decoder.read({0: [5] * 20})
    with pytest.raises(ValueError, match="row 0: expected 1 to 30 tokens, found 31"):
        decoder.read({0: [1] * 31})
    decoder.read({0: [1] * 30})
    assert say(decoder, [0], 1) == [alone([5] * 20 + [1] * 30, 1)]


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
    decode_conversations(decoder_of, 40, talks, Limits(5, 6), 0.0, 1)
    assert sizes == [40, 2]
    assert [len(talk.heard) for talk in talks] == [3 if row in (7, 31) else 1 for row in range(40)]
    check(talks, prompts)


def test_more_conversations_than_rows_follow_each_other() -> None:
    prompts = [[5 + row] * (3 + 7 * (row % 3)) for row in range(9)]
    talks = [Talk(prompt, 1 + row % 4) for row, prompt in enumerate(prompts)]
    decode_conversations(
        lambda rows: Decoder(tiny_model().model, [END], rows, 300), 3, talks, Limits(3, 6), 0.0, 1
    )
    assert [len(talk.heard) for talk in talks] == [min(1 + row % 4, 3) for row in range(9)]
    check(talks, prompts)


def check(talks: list[Talk], prompts: list[list[int]]) -> None:
    for talk, prompt in zip(talks, prompts, strict=True):
        context = list(prompt)
        for ids in talk.heard:
            assert ids == alone(context, 6)
            context += [*ids, 3, 9]
