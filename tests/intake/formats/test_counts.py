"""What a ledger holds of each sample: sums that programs counted in its raw records that know
nothing of the readers, or people by hand, as a row's note says.

A row of a database is built from the rows of it; a sum that is null was not counted."""

from contextlib import ExitStack
from pathlib import Path

from tests.intake.formats.conformance import detected, ledger_counts
from tests.intake.formats.sqlite_files import rows_in, written_database
from tests.labelled import DATA, from_set

DATABASES = {"rows.jsonl", "first_version.jsonl", "second_version.jsonl"}


def check(format: str, paths: list[Path], counts: dict[str, float | None], folder: Path) -> None:
    files = [path for path in paths if path.is_file()]
    assert {detected(path) for path in files} <= {format}
    found = ledger_counts(paths, folder)
    names = found.__struct_fields__
    expected = {name: counts.get(name, 0) for name in names}
    assert {
        name: None if expected[name] is None else getattr(found, name) for name in names
    } == expected


@from_set("intake/formats/counts", "format", "names", "counts")
def test_the_ledger_holds_what_was_counted(
    format: str, names: list[str], counts: dict[str, float | None], tmp_path: Path
) -> None:
    with ExitStack() as writers:
        paths = [DATA / name for name in names]
        for place, path in enumerate(paths):
            if format in ("hermes", "opencode") and path.name in DATABASES:
                paths[place] = tmp_path / f"{path.stem}.db"
                writers.enter_context(written_database(paths[place], rows_in(path)))
        check(format, paths, counts, tmp_path)


@from_set("intake/formats/counts", "format", "pattern", "counts")
def test_real_files_hold_what_was_counted(
    format: str, pattern: str, counts: dict[str, float | None], real_traces: Path, tmp_path: Path
) -> None:
    check(format, sorted(real_traces.glob(pattern)), counts, tmp_path)
