"""A folder of documents to search and to read offline; a small one, written here, is included.

A document is a file `NAME.md` or `NAME.txt` whose first line is its title; its address is
https://corpus.invalid/NAME, which leads nowhere else. `questions.jsonl` has questions that the
included documents answer, in the schema of SimpleQA.
"""

from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from agentdyno.records import InputError

ADDRESS = "https://corpus.invalid/"
QUESTIONS = Path(__file__).parent / "questions.jsonl"
_INCLUDED = Path(__file__).parent / "documents"
_SUFFIXES = (".md", ".txt")
_MAX_BYTES = 4 * 2**20


class Document(Struct, frozen=True):
    name: str
    """Its file's name without the ending."""
    title: str
    """Its first line."""
    text: str

    @property
    def url(self) -> str:
        """Its address."""
        return ADDRESS + self.name


@lru_cache(maxsize=4)
def load_corpus(folder: str | None = None) -> list[Document]:
    """The documents of a folder, by name; None for those included."""
    directory = Path(folder) if folder else _INCLUDED
    if not directory.is_dir():
        raise InputError(f"{directory}: expected a folder of documents, found none.")
    paths = sorted(p for p in directory.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
    documents = [_document(directory, path) for path in paths]
    filled = [document for document in documents if document.text]
    if not filled:
        raise InputError(f"{directory}: expected documents (*.md, *.txt) with text, found none.")
    return filled


def _document(directory: Path, path: Path) -> Document:
    with path.open("rb") as file:
        text = file.read(_MAX_BYTES).decode("utf-8", "replace")
    first, _, body = text.strip().partition("\n")
    name = path.relative_to(directory).with_suffix("").as_posix()
    return Document(name, first.lstrip("# ").strip(), body.strip() or first)
