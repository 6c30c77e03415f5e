"""The bundled suite keeps its promises, and the published format goes in and out unharmed."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from agentdyno.records import InputError
from agentdyno_bench.toolfail.findings.submitted_rule import classify_by_submission
from agentdyno_bench.toolfail.records import (
    ExecutedCall,
    Submission,
    TaskSuite,
    ToolAnswer,
    ToolTask,
)
from agentdyno_bench.toolfail.tasks.offering import look_up
from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.toolfail.tasks.task_suites import read_suite
from tests.bench.toolfail.tasks.writing import write_suite
from tests.labelled import from_set

PUBLISHED = Path(__file__).resolve().parents[4] / "../shared/data/toolfailbench"


@pytest.fixture(scope="module")
def suite() -> TaskSuite:
    return load_suite(turns="multi")


def test_the_bundled_suite_has_its_tasks_and_tools(suite: TaskSuite) -> None:
    single = [task for task in suite.tasks if task.trap is None]
    assert len(single) == 1000
    assert sum(task.kind == "required" for task in single) == 750
    assert len(suite.tasks) - len(single) == 200
    assert sum(len(tools) for tools in suite.tools.values()) >= 45
    for target in ("tool_skip", "result_ignore", "output_fabrication"):
        assert sum(task.target == target for task in single) == 250


def test_the_suite_is_varied(suite: TaskSuite) -> None:
    single = [task for task in suite.tasks if task.trap is None]
    required = [task for task in single if task.kind == "required"]
    assert len({task.register for task in single}) >= 600
    assert len({(t.domain, t.script[0].tool, t.entity) for t in required}) >= 300
    assert sum(len(t.must_contain) >= 2 for t in required) == 750
    texts = ["".join(v[0] for v in t.must_contain if v[0].isalpha()) for t in required]
    assert sum(any(not c.isdigit() for c in text) for text in texts) >= 200
    assert sum(t.prior is not None for t in required) >= 500


def test_tools_answer_by_their_arguments(suite: TaskSuite) -> None:
    tools = {tool.name: tool for tool in suite.tools["finance"]}
    known = suite.records["finance"]
    quote = tools["quote_snapshot"]
    assert look_up(quote, {"ticker": "nvda"}, known)[0]["ticker"] == "NVDA"
    assert look_up(quote, {"ticker": "AAPL"}, known)[0]["ticker"] == "AAPL"
    assert look_up(quote, {"ticker": "WRONG"}, known)[0]["status"] == "not_found"
    assert look_up(quote, {}, known) == (None, "missing argument ticker")
    lines = tools["income_lines"]
    refused = look_up(lines, {"ticker": "MSFT", "period": "decade"}, known)
    assert refused == (None, "period must be one of quarter, year")


def test_calling_everything_with_wrong_arguments_scores_nothing(suite: TaskSuite) -> None:
    right = 0
    for task in suite.tasks:
        tools = suite.tools[task.domain]
        calls, said = [], []
        for tool in tools:
            given = dict.fromkeys(tool.parameters["required"], "WRONG")
            calls.append(ExecutedCall(tool.name, given))
            said.append(str(look_up(tool, given, suite.records[task.domain])))
        handed_in = Submission(tuple(said), "tool")
        answer = ToolAnswer(task.task_id, tuple(calls), submission=handed_in)
        right += classify_by_submission(task, answer).label == "correct"
    assert right == 0


def test_no_single_keyword_passes_a_control(suite: TaskSuite) -> None:
    for task in (t for t in suite.tasks if t.kind == "control"):
        for word in {w for group in task.must_contain for w in group.split("|")}:
            handed_in = Submission((word,), "own knowledge")
            answer = ToolAnswer(task.task_id, submission=handed_in)
            label = classify_by_submission(task, answer).label
            assert label != "correct", (task.task_id, word)


@pytest.mark.parametrize(
    ("count", "required", "control"), [(4, 3, 1), (20, 15, 5), (100, 75, 25), (250, 188, 62)]
)
def test_every_beginning_of_a_run_keeps_controls_and_domains_in_proportion(
    count: int, required: int, control: int
) -> None:
    tasks = order_evenly(load_suite().tasks)
    kinds = Counter(task.kind for task in tasks[:count])
    assert kinds == {"required": required, "control": control}
    domains = Counter(task.domain for task in tasks[:count])
    assert max(domains.values()) - min(domains[name] for name in set(domains)) <= 1
    assert len(domains) == min(count, 5)
    assert len({task.task_id for task in tasks}) == 1000


def test_traps_come_in_their_share_and_a_suite_without_them_is_no_different(
    suite: TaskSuite,
) -> None:
    first = order_evenly(suite.tasks)[:60]
    assert Counter(task.trap is not None for task in first) == {False: 50, True: 10}
    assert order_evenly(()) == []


def test_without_several_turns_the_suite_has_a_thousand_tasks() -> None:
    assert len(load_suite().tasks) == 1000


def test_first_line_drugs_are_for_their_condition(suite: TaskSuite) -> None:
    known = {r.arguments["condition"]: r.returns["board"]["first_line"]
             for r in suite.records["medicine"] if r.tool == "guideline_target"}  # fmt: skip
    assert (known["gout"], known["type 2 diabetes"]) == ("allopurinol", "metformin")
    assert known["hypertension"] in ("lisinopril", "amlodipine", "losartan")


def test_a_suite_survives_the_published_format(suite: TaskSuite, tmp_path: Path) -> None:
    write_suite(suite, tmp_path)
    again = read_suite(tmp_path, suite.name, ("tasks.json", "multi.json"))

    def by_id(task: ToolTask) -> str:
        return task.task_id

    assert sorted(again.tasks, key=by_id) == sorted(suite.tasks, key=by_id)
    assert (again.tools, again.prompts) == (suite.tools, suite.prompts)


def test_the_published_tasks_load() -> None:
    if not PUBLISHED.is_dir():
        pytest.skip("the published tasks are not here: ../shared/data/toolfailbench")
    found = load_suite(PUBLISHED)
    assert len(found.tasks) == 600
    assert sum(task.kind == "required" for task in found.tasks) == 450
    assert {len(tools) for tools in found.tools.values()} == {9}
    first = next(task for task in found.tasks if task.task_id == "RI-FIN-002")
    assert (first.must_contain, first.returned["price_usd"]) == (("211.4", "AAPL"), 211.4)


@from_set("bench/toolfail/tasks/suite", "text", "said")
def test_damaged_task_files_say_where(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "tasks.json").write_text(text)
    with pytest.raises(InputError, match=said):
        load_suite(tmp_path)


def test_a_folder_without_tasks_and_a_task_id_that_comes_twice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected DOMAIN/tasks\.json"):
        load_suite(tmp_path)
    entry = {
        "task_id": "X",
        "domain": "d",
        "user_message": "?",
        "expected_tool_call": None,
        "mock_tool_return": None,
        "ground_truth": {"answer_must_contain": ["a"]},
    }
    (tmp_path / "tasks.json").write_bytes(msgspec.json.encode({"tasks": [entry, entry]}))
    (tmp_path / "tools.json").write_text('{"tools": []}')
    with pytest.raises(InputError, match="each task_id once"):
        load_suite(tmp_path)
