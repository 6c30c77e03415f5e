"""The folder that an agent worked in, as each format logs it."""

import json
import shutil
from hashlib import md5
from pathlib import Path

import pytest

from agentdyno.records import Trajectory
from tests.intake.formats import conformance
from tests.intake.formats.sqlite_files import rows_in, written_database

DATA = Path(__file__).resolve().parents[2] / "data"
LOGGED = {
    "codex/counts-behind-0.98.jsonl": ("codex", "/repo/toy"),
    "codex/rollout-2026-01-05T10-01-07-019b8d9a-6f80-7a31-9c4e-aa90b431c7e5.jsonl":
        ("codex", "/repo/toy"),
    "copilot_cli/session/events.jsonl": ("copilot_cli", "/repo/toy"),
    "qwen_code/chats/e27e6b80-2f13-4be0-ab2c-c349bb717412.jsonl": ("qwen_code", "/repo/toy"),
    "pi/tree.jsonl": ("pi", "/home/user/shop"),
    "pi/openclaw.jsonl": ("openclaw", "/home/user/shop"),
    "kiro/5d2e7c10-4a3b-4f6d-9c81-2e3f4a5b6c7d.jsonl": ("kiro", "/home/ada/todo"),
    "continue/3dfacc9e-042b-44bd-ae17-fe4ee14e70af.json": ("continue", "/repo/toy"),
    "trae_agent/trajectory_20260504_100000.json": ("trae_agent", "/home/ada/slugs"),
}  # fmt: skip


def read_as(name: str, path: Path) -> tuple[Trajectory, ...]:
    return conformance.read_as(name, path)[0]


@pytest.mark.parametrize("sample", LOGGED)
def test_every_conversation_of_a_file_has_the_folder_that_it_logs(sample: str) -> None:
    name, folder = LOGGED[sample]

    assert {run.project for run in read_as(name, DATA / sample)} == {folder}


def test_an_opencode_session_has_the_directory_of_its_row(tmp_path: Path) -> None:
    rows = rows_in(DATA / "opencode" / "first_version.jsonl")
    with written_database(tmp_path / "opencode.db", rows):
        runs = read_as("opencode", tmp_path / "opencode.db")

    assert {run.project for run in runs} == {"/home/user/shop"}


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n  <cwd>/home/ada/old</cwd>\n</environment_context>",
        "<environment_context>\nCurrent working directory: /home/ada/old\nApproval policy: never",
    ],
)
def test_an_old_codex_session_has_the_folder_that_its_model_was_told(
    tmp_path: Path, text: str
) -> None:
    head = {"id": "5973b6c0-94b8-487b-a530-2aeb6098ae0e", "timestamp": "2025-07-01T10:00:00Z"}
    texts = [("user", "input_text", text), ("assistant", "output_text", "Done.")]
    lines = [head] + [
        {"type": "message", "role": role, "content": [{"type": kind, "text": said}]}
        for role, kind, said in texts
    ]
    path = tmp_path / "rollout-2025-07-01T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    assert [run.project for run in read_as("codex", path)] == ["/home/ada/old"]


def test_kimi_lists_the_folders_whose_hashes_name_those_of_its_sessions(tmp_path: Path) -> None:
    folder = "/home/ada/shop"
    sessions = tmp_path / "sessions" / md5(folder.encode(), usedforsecurity=False).hexdigest()
    shutil.copytree(DATA / "kimi" / "sessions" / "5f1a", sessions)
    (tmp_path / "kimi.json").write_text(json.dumps({"work_dirs": [{"path": folder}]}))

    runs = [run for path in sessions.rglob("wire.jsonl") for run in read_as("kimi", path)]

    assert len(runs) > 3
    assert {run.project for run in runs} == {folder}


def test_gemini_writes_the_folder_beside_its_chats(tmp_path: Path) -> None:
    shutil.copytree(DATA / "gemini_cli" / "chats", tmp_path / "chats")
    (tmp_path / ".project_root").write_text("/home/ada/shop")

    runs = [run for path in tmp_path.rglob("*.jsonl") for run in read_as("gemini_cli", path)]

    assert len(runs) == 2
    assert {run.project for run in runs} == {"/home/ada/shop"}


def test_crush_and_aider_lie_in_their_projects(tmp_path: Path) -> None:
    for folder in (".crush", ".git"):
        (tmp_path / folder).mkdir()
    crush = shutil.copy(DATA / "crush" / "crush.db", tmp_path / ".crush")
    aider = shutil.copy(DATA / "aider" / ".aider.chat.history.md", tmp_path)

    runs = [*read_as("crush", Path(crush)), *read_as("aider", Path(aider))]

    assert {run.project for run in runs} == {str(tmp_path)}


def test_cline_describes_the_folder_to_the_model(tmp_path: Path) -> None:
    task = tmp_path / "1790000000000"
    shutil.copytree(DATA / "cline" / "1790000000000", task)
    history = json.loads((task / "api_conversation_history.json").read_text())
    stated = "<environment_details>\n# Current Working Directory (/home/ada/shop) Files\na.py"
    history[0]["content"].append({"type": "text", "text": stated})
    (task / "api_conversation_history.json").write_text(json.dumps(history))

    runs = read_as("cline", task / "ui_messages.json")

    assert runs[0].project == "/home/ada/shop"
