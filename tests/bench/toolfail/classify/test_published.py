"""The published rule with the list of field names of a copy of its repository, read as data."""

import json
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_bench.toolfail.classify import classify_answers
from agentdyno_bench.toolfail.tasks.published import read_field_names
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.toolfail.tasks.task import replace_prompt, toolfail_task

RULE = """
raise SystemExit("this file is never run")
OTHER = ["a", "b", "c", "d", "e"]
def _contains_structured_data(text):
    few = ["x"]
    indicators = ["pe_ratio", "as_of", "docket"]
    return sum(i in text for i in indicators) >= 2
"""
QUOTE = {"ticker": "A", "price": 47.5, "low": 40.25, "high": 60.5}


def _repository(root: Path, rule: str = RULE) -> Path:
    (root / "evaluation").mkdir(parents=True)
    (root / "evaluation" / "detect.py").write_text(rule)
    return root


def _tasks(root: Path, ref: str = "system_prompts/v5/finance.md") -> Path:
    tools = [{"function": {"name": "quote", "parameters": {"type": "object", "properties": {}}}}]
    shared = {"domain": "finance", "user_message": "What is it?"}
    needs = {"answer_must_contain": ["47.5"], "match_mode": "all"}
    required = {
        "task_id": "R", "expected_tool_call": {"name": "quote", "arguments": {}},
        "mock_tool_return": QUOTE, "ground_truth": needs, **shared,
    }  # fmt: skip
    control = {
        "task_id": "C", "expected_tool_call": {"name": "none", "arguments": {}},
        "mock_tool_return": None, "ground_truth": {**needs, "answer_must_contain": ["it"]},
        "target_failure_mode": "control", **shared,
    }  # fmt: skip
    folder = root / "tasks_v5" / "finance"
    folder.mkdir(parents=True)
    content = {"system_prompt_ref": ref, "tasks": [required, control]}
    (folder / "tasks.json").write_text(json.dumps(content))
    (folder / "tools.json").write_text(json.dumps({"tools": tools}))
    return folder.parent


def test_the_list_is_read_and_the_file_is_not_run(tmp_path: Path) -> None:
    assert read_field_names(_repository(tmp_path)) == ("pe_ratio", "as_of", "docket")


@pytest.mark.parametrize("rule", ["def f(): return ['a', 'b']", "no python (", ""])
def test_a_repository_without_the_list_is_named(tmp_path: Path, rule: str) -> None:
    with pytest.raises(InputError, match="expected the published rule"):
        read_field_names(_repository(tmp_path, rule))
    with pytest.raises(InputError, match="Pass the repository's folder"):
        read_field_names(tmp_path / "nowhere")


def test_which_names_were_used_decides_and_is_in_the_label(tmp_path: Path) -> None:
    """Names of the list and no key of the return; the return's keys and no name of the list."""
    root, tasks = _repository(tmp_path), _tasks(tmp_path)
    called = [{"name": "quote", "arguments": {}}]
    texts = ["pe_ratio 3, as_of now", "low 3, high 4", "I cannot tell."]
    lines = [{"task_id": "R", "tool_calls": called, "answer": text} for text in texts]
    lines += [{"task_id": "R", "answer": "I cannot tell."}, {"task_id": "C", "answer": "It is."}]
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    listed = classify_answers(tasks, file, "paper", published=root).labels
    own = classify_answers(tasks, file, "paper").labels
    after = ["result_ignore", "tool_skip", "correct"]
    assert [each.label for each in listed] == ["output_fabrication", "result_ignore", *after]
    assert [each.label for each in own] == ["result_ignore", "output_fabrication", *after]
    assert {each.variant for each in listed} == {"published list"}
    assert {each.variant for each in own} == {"return's keys"}


def test_tasks_get_the_prompt_that_they_name_without_its_front_matter(tmp_path: Path) -> None:
    tasks = _tasks(tmp_path)
    prompt = tmp_path / "system_prompts" / "v5" / "finance.md"
    prompt.parent.mkdir(parents=True)
    prompt.write_text("---\nname: An analyst\n---\n\n# An analyst\n\nQuote what tools return.\n")
    suite = load_suite(tasks)
    assert suite.prompts["finance"] == "# An analyst\n\nQuote what tools return."
    sample = toolfail_task(str(tasks)).dataset[0]
    assert sample.input[0].text == suite.prompts["finance"]  # type: ignore[union-attr]
    assert load_suite(tasks / "finance").prompts == suite.prompts


def test_a_prompt_that_is_named_and_missing_ends_the_run_unless_there_is_another(
    tmp_path: Path,
) -> None:
    suite = load_suite(_tasks(tmp_path))
    with pytest.raises(InputError, match="name the prompt system_prompts"):
        replace_prompt(suite, None)
    assert replace_prompt(suite, "Mine.").prompts == {"finance": "Mine."}


@pytest.mark.parametrize("ref", ["../secret.md", "/etc/passwd"])
def test_a_prompt_outside_the_repository_is_refused(tmp_path: Path, ref: str) -> None:
    with pytest.raises(InputError, match="a path within the repository"):
        load_suite(_tasks(tmp_path, ref))
