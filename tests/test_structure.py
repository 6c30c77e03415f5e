"""The shape of the code that no contract of imports can say: circles of files, floors."""

import pytest
from bench.structure import Sources, by_folder, circles, imports, longest_chain, working_tree


@pytest.fixture(scope="module")
def sources() -> Sources:
    return working_tree()


def test_no_file_imports_itself_in_the_end(sources: Sources) -> None:
    """What is imported inside functions counts, too."""
    assert circles(imports(sources, lazy=True)) == []


def test_pipelines_have_at_most_four_floors(sources: Sources) -> None:
    assert len(longest_chain(by_folder(imports(sources), sources))) <= 4
