"""Tables 3 to 6 of Eta Given Delta from call-level labels built to its counts."""

import pytest

from agentdyno.findings.utility import measure_eta, measure_tools
from agentdyno.records.utility import JudgedCall, UtilityLabel

TRAJECTORIES = 25

TOOLS = {
    "GPT-5.3-Codex": {"grafana": (52, 27), "mattermost": (7, 42), "plane": (23, 53)},
    "Gemini 3.1 Pro": {"grafana": (26, 21), "mattermost": (3, 20), "plane": (3, 31)},
}
"""Tables 3 and 4: useful and other calls of the default suite."""

CONFIDENCES = {
    ("GPT-5.3-Codex", "grafana"): (0.819, 0.890),
    ("GPT-5.3-Codex", "mattermost"): (0.734, 0.927),
    ("GPT-5.3-Codex", "plane"): (0.775, 0.928),
    ("Gemini 3.1 Pro", "grafana"): (0.825, 0.870),
    ("Gemini 3.1 Pro", "mattermost"): (0.673, 0.930),
    ("Gemini 3.1 Pro", "plane"): (0.607, 0.917),
}


def labelled(tool: str, label: UtilityLabel, count: int, confidence: float) -> list[JudgedCall]:
    """Calls of one sort, not yet dealt to trajectories."""
    return [
        JudgedCall(
            trajectory_id="",
            task_id="",
            turn=0,
            call=0,
            tool=tool,
            label=label,
            confidence=confidence,
            pte=50.0,
        )
        for _ in range(count)
    ]


def default_calls(model: str) -> list[JudgedCall]:
    calls = []
    for tool, (useful, other) in TOOLS[model].items():
        sure_useful, sure_other = CONFIDENCES[model, tool]
        calls += labelled(tool, "positive", useful, sure_useful)
        calls += labelled(tool, "non_positive", other, sure_other)
    return calls


def dealt(calls: list[JudgedCall], sizes: list[tuple[int, int]]) -> list[JudgedCall]:
    """The calls dealt to trajectories of so many useful and other calls each."""
    import msgspec

    useful = [call for call in calls if call.label == "positive"]
    other = [call for call in calls if call.label == "non_positive"]
    placed = []
    for index, (good, bad) in enumerate(sizes):
        hand = [useful.pop() for _ in range(good)] + [other.pop() for _ in range(bad)]
        name = f"task{index}"
        placed += [
            msgspec.structs.replace(call, trajectory_id=name, task_id=name, turn=turn)
            for turn, call in enumerate(hand)
        ]
    assert not useful
    assert not other
    return placed


def sizes_for(useful: int, calls: int, mean: float) -> list[tuple[int, int]]:
    """25 trajectories with these totals whose mean efficiency is the printed one."""
    tries = [_climbed(useful, calls, mean, short) for short in ([1, 2, 3] * 4, [2] * 12)]
    return min(tries, key=lambda sizes: _off(sizes, mean))


def _climbed(useful: int, calls: int, mean: float, short: list[int]) -> list[tuple[int, int]]:
    """From an even deal, one useful call at a time changes places with another one, for as long
    as that brings the mean nearer."""
    rest, left = calls - sum(short), TRAJECTORIES - len(short)
    lengths = short + [rest // left + (i < rest % left) for i in range(left)]
    sizes = [(0, n) for n in lengths]
    for _ in range(useful):
        free = [k for k in range(TRAJECTORIES) if sizes[k][1]]
        k = min(free, key=lambda k: sizes[k][0] / lengths[k])
        sizes[k] = (sizes[k][0] + 1, sizes[k][1] - 1)
    while True:
        best = min(_exchanged(sizes), key=lambda moved: _off(moved, mean))
        if _off(best, mean) >= _off(sizes, mean):
            return sizes
        sizes = best


def _exchanged(sizes: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    places = range(len(sizes))
    return [
        [(g - (k == i) + (k == j), b + (k == i) - (k == j)) for k, (g, b) in enumerate(sizes)]
        for i in places
        for j in places
        if i != j and sizes[i][0] and sizes[j][1]
    ]


def _off(sizes: list[tuple[int, int]], mean: float) -> float:
    return abs(sum(good / (good + bad) for good, bad in sizes) / len(sizes) - mean)


@pytest.mark.parametrize(
    ("model", "aggregates"),
    [
        ("GPT-5.3-Codex", {"grafana": 25, "mattermost": -35, "plane": -30}),
        ("Gemini 3.1 Pro", {"grafana": 5, "mattermost": -17, "plane": -28}),
    ],
)
def test_tables_3_and_4_give_the_printed_aggregates_and_confidences(
    model: str, aggregates: dict[str, int]
) -> None:
    rows = {row.tool: row for row in measure_tools(default_calls(model))}
    assert {tool: row.aggregate for tool, row in rows.items()} == aggregates
    for tool, row in rows.items():
        assert (row.useful, row.not_useful) == TOOLS[model][tool]
        assert row.confidence_useful == pytest.approx(CONFIDENCES[model, tool][0])
        assert row.confidence_not_useful == pytest.approx(CONFIDENCES[model, tool][1])


@pytest.mark.parametrize(
    ("model", "variant", "useful", "every", "mean"),
    [
        ("GPT-5.3-Codex", "default", 82, 204, 0.359),
        ("GPT-5.3-Codex", "grafana", 58, 87, 0.720),
        ("Gemini 3.1 Pro", "default", 32, 104, 0.367),
        ("Gemini 3.1 Pro", "grafana", 23, 43, 0.593),
    ],
)
def test_tables_5_and_6_show_mean_eta_beside_the_pooled_ratio(
    model: str, variant: str, useful: int, every: int, mean: float
) -> None:
    if variant == "default":
        calls = default_calls(model)
    else:
        calls = labelled("grafana", "positive", useful, 0.8)
        calls += labelled("grafana", "non_positive", every - useful, 0.9)
    placed = dealt(calls, sizes_for(useful, every, mean))
    eta = measure_eta(placed, TRAJECTORIES)
    assert (eta.useful, eta.calls, eta.undefined) == (useful, every, 0)
    assert eta.mean.value == pytest.approx(mean, abs=0.0005)
    assert eta.pooled.value == pytest.approx(useful / every)
    assert abs(eta.mean.value - eta.pooled.value) > 0.02
    assert eta.mean.low < eta.mean.value < eta.mean.high


def test_the_grafana_suite_has_the_utilities_of_section_4_2() -> None:
    for useful, every, aggregate in ((58, 87, 29), (23, 43, 3)):
        calls = labelled("grafana", "positive", useful, 0.8)
        calls += labelled("grafana", "non_positive", every - useful, 0.9)
        assert measure_tools(calls)[0].aggregate == aggregate


def test_without_tools_eta_does_not_exist() -> None:
    eta = measure_eta([], TRAJECTORIES)
    assert (eta.undefined, eta.mean.value, eta.pooled.value) == (TRAJECTORIES, None, None)
    assert eta.mean.reason == "no observations"
