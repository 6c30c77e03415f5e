"""The shape of the code that no import contract can check."""

from bench.structure import cycles, imports, is_participle, working_tree


def test_no_module_imports_itself_through_others() -> None:
    """Imports inside functions count, too."""
    assert cycles(imports(working_tree(), lazy=True)) == []


def test_participles_are_told_from_verbs() -> None:
    assert [
        n for n in ("laid_out", "_checked", "making", "read", "seed_all") if is_participle(n)
    ] == [
        "laid_out",
        "_checked",
        "making",
    ]
