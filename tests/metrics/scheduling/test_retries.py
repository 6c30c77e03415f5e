"""Dependencies that a failure, an installer or a short id gives away."""

from agentdyno.findings.scheduling.inference import infer_edges
from tests.metrics.scheduling.trajectories import Call, trajectory


def _edges(*turns: list[Call]) -> dict[tuple[int, int], str]:
    return {(e.source, e.target): e.reason for e in infer_edges(trajectory("go", *turns))}


def _bash(command: str, result: str) -> Call:
    return "Bash", {"command": command}, result


def test_a_call_tries_again_what_had_failed() -> None:
    gone: Call = ("Read", {"file_path": "/w/setup_cmd_test.go"}, "Error: File does not exist.")
    look: Call = ("Glob", {"pattern": "**/setup_cmd_test.go"}, "/w/it/setup_cmd_test.go")
    assert _edges([gone], [look]) == {(0, 1): "it tries again what had failed"}


def test_what_a_failure_quotes_is_installed_for_it() -> None:
    run = _bash("python go.py", "Traceback (most recent call last):\nNo module named 'pytz'")
    assert _edges([run], [_bash("pip install pytz", "ok")]) == {(0, 1): "its failure named this"}


def test_a_search_that_found_nothing_is_widened() -> None:
    narrow = _bash('find src/lib -name "*harbour_gate*"', "")
    wide = _bash('find . -name "*harbour_gate*"', "./a/harbour_gate.py")
    assert _edges([narrow], [wide]) == {(0, 1): "it looks again for what was not found"}


def test_code_that_runs_waits_for_the_installer_and_a_reading_does_not() -> None:
    install = _bash("pip install numpy", "ok")
    assert (0, 1) in _edges([install], [_bash("python go.py", "ok")])
    assert _edges([install], [_bash("cat notes.txt", "x")]) == {}


def test_a_script_of_its_own_changes_nothing_for_named_tests() -> None:
    script = _bash("cat > scratch.py << 'EOF'\nprint(1)\nEOF", "")
    assert _edges([script], [_bash("pytest tests/test_gate.py", "ok")]) == {}
    assert (0, 1) in _edges([script], [_bash("python scratch.py", "1")])


def test_a_short_id_that_a_result_gave_is_an_id() -> None:
    made: Call = ("TaskCreate", {"subject": "open"}, "Task #3 created successfully")
    used: Call = ("TaskUpdate", {"taskId": "3", "status": "in_progress"}, "ok")
    assert _edges([made], [used]) == {(0, 1): "its result gave this id"}
