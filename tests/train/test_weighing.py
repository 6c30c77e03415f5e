"""What is written down before a row is chosen."""

from typing import Any

from agentdyno_train.answer_lines import drop_repeated, weigh_rows

TRACKS = [("Corner", 281), ("Window", 245), ("Ashes", 197), ("River", 392)]
RESULTS: dict[str, Any] = {
    "s1": {"tracks": [{"track": name, "seconds": length} for name, length in TRACKS]},
    "s2": {
        "shows": [
            {"cinema": "Arc", "price": 7.5, "seats": 0},
            {"cinema": "Rialto", "price": 9.0, "seats": 4},
            {"cinema": "Lumen", "price": 8.25, "seats": 9},
        ]
    },
}


def at(step: str, rows: str, take: str, by: str, field: str, **more: Any) -> dict[str, Any]:
    return {"$from": step, "list": rows, "take": take, "by": by, "field": field, **more}


def test_every_figure_stands_there_and_the_last_name_is_the_choice() -> None:
    lines = weigh_rows("Lights", [at("s1", "tracks", "min", "seconds", "track")], RESULTS)
    assert lines == [
        "Lights, least seconds of tracks: 281 Corner, 245 Window, 197 Ashes, 392",
    ]
    lines = weigh_rows("", [at("s1", "tracks", "max", "seconds", "track")], RESULTS)
    assert lines == ["most seconds of tracks: 281 Corner, 245, 197, 392 River"]


def test_rows_that_do_not_count_are_a_dash() -> None:
    cheap = at("s2", "shows", "min", "price", "cinema", where=[["seats", ">", 0]])
    (line,) = weigh_rows("Static", [cheap], RESULTS)
    assert line == "Static, least price of shows, seats > 0: -, 9.0 Rialto, 8.25 Lumen"


def test_what_is_wanted_of_one_row_stands_in_one_line() -> None:
    both = [at("s2", "shows", "min", "price", field) for field in ("cinema", "price", "seats")]
    assert weigh_rows("", both, RESULTS) == ["least price of shows: 7.5 Arc 0, 9.0, 8.25"]
    assert weigh_rows("", both[1:2], RESULTS) == ["least price of shows: 7.5 best, 9.0, 8.25"]


def test_only_a_choice_by_figures_is_weighed() -> None:
    plain = [
        {"$from": "s1", "path": "tracks.0.track"},
        {"$from": "s1", "list": "tracks", "take": "first", "field": "track"},
        {"$from": "s1", "list": "tracks", "take": "only", "field": "track", "where": []},
    ]
    assert weigh_rows("", plain, RESULTS) == []


def test_what_was_weighed_before_is_not_weighed_again() -> None:
    assert drop_repeated(["a", "b", "b"], ["x\na", ""]) == "b"
