"""Where a benchmark's questions come from: the bundled few, a folder, or the Hugging Face hub.

The bundled sets, called `mini`, are our own questions in the published columns: they exercise the
whole path offline and say nothing about how a model does on the benchmark itself, so they carry
another name.
"""

from importlib.util import find_spec
from pathlib import Path

from agentdyno.records import InputError, printable
from agentdyno_bench.pte.tir.benchmarks import Benchmark
from agentdyno_bench.pte.tir.problems import Problem, draw, read_problems

MINI, HUB = "mini", "hub"
SUFFIXES = (".jsonl", ".json", ".csv", ".parquet")
_BUNDLED = Path(__file__).parent / "data"


def load_problems(benchmark: Benchmark, data: str = MINI, seed: int = 0) -> list[Problem]:
    """The questions; the large sets are drawn from with the seed."""
    if data == MINI:
        files = _in_folder(_BUNDLED, benchmark)
    elif data == HUB:
        files = _from_hub(benchmark)
    else:
        files = _in_folder(Path(data), benchmark)
    return draw(read_problems(files, benchmark), benchmark.drawn, seed)


def task_name(benchmark: Benchmark, data: str) -> str:
    """The task's ledger name: bundled questions are never mistaken for the published ones."""
    return f"{benchmark.name}_mini" if data == MINI else benchmark.name


def _in_folder(folder: Path, benchmark: Benchmark) -> list[Path]:
    """A file named like the benchmark, or every file of a folder named like it."""
    if folder.is_file():
        return [folder]
    files = [file for s in SUFFIXES if (file := folder / f"{benchmark.name}{s}").is_file()]
    inner = folder / benchmark.name
    files = files[:1] or sorted(f for f in inner.rglob("*") if f.suffix in SUFFIXES)
    if not files:
        raise InputError(
            f"{folder}: expected the questions of {benchmark.title} as {benchmark.name}.jsonl "
            f"(or {', '.join(SUFFIXES[1:])}) or in a folder {benchmark.name}/, found neither. "
            f"They are published as {benchmark.repository} on the Hugging Face hub."
        )
    return files


def _from_hub(benchmark: Benchmark) -> list[Path]:
    if find_spec("huggingface_hub") is None:
        raise InputError(
            "expected the package huggingface_hub for --data hub, found none. Install it: "
            "pip install huggingface_hub; or download the files and pass their folder as --data."
        )
    import huggingface_hub

    try:
        folder = huggingface_hub.snapshot_download(
            repo_id=benchmark.repository, repo_type="dataset", allow_patterns=list(benchmark.files)
        )
    except Exception as error:
        raise InputError(
            f"expected {benchmark.title} at {benchmark.repository} on the Hugging Face hub, found "
            f"{printable(f'{type(error).__name__}: {error}', 200)}. Download it elsewhere and "
            "pass its folder as --data, or try the bundled questions with --data mini."
        ) from None
    files = sorted({f for pattern in benchmark.files for f in Path(folder).glob(pattern)})
    if not files:
        raise InputError(
            f"{benchmark.repository}: expected files like {', '.join(benchmark.files)}, found "
            "none. The dataset may have moved; download it and pass its folder as --data."
        )
    return files
