"""What follows from the figures of a text is no invention, and what does not is one."""

import pytest

from agentdyno.matching.legacy_values import read_values
from agentdyno.matching.support import sources, unsupported

INN = {"sold": 132, "rooms": 160, "rate_usd": 94.5, "staff_day": 14, "staff_night": 6}
DEPOT = {"boxes": 48, "price_eur": 17.25, "weight_kg": 6.5, "pallets": 4, "discount_pct": 15,
         "last_delivery": "2026-11-10", "lead_days": 12, "fine_eur_day": 0.35}  # fmt: skip


def _invented(text: str, returned: dict[str, object]) -> list[str]:
    return [claim.text for claim in unsupported(text, read_values(text), sources([returned], []))]


@pytest.mark.parametrize(
    "text",
    [
        "132 of 160 rooms are sold, 28 are free, an occupancy of 82.5 %.",
        "132 of 160; revenue tonight is $12,474.",
        "132 of 160. All of them would make $15,120, so $2,646 are missing.",
        "132 of 160 rooms, leaving 17.5 % empty.",
    ],
)
def test_figures_that_the_text_shows_support_what_they_make(text: str) -> None:
    assert _invented(text, INN) == []


@pytest.mark.parametrize(
    "text",
    [
        "48 boxes at €17.25; with the 15 % off that's €703.80 for all of them.",
        "48 boxes at €17.25, so each of the pallets is worth €207.",
        "48 boxes at €17.25; ten of them would cost €172.50.",
        "48 boxes at €17.25. Two boxes weigh 13 kg.",
        "Ordered on 10 November 2026, with 12 days of lead time, it comes on 22 November 2026.",
        "48 boxes of more than 6 kg each.",
        "It is €0.35 a day, so 14 days make €4.90.",
    ],
)
def test_three_figures_multiples_and_moved_days_are_supported(text: str) -> None:
    assert _invented(text, DEPOT) == []


@pytest.mark.parametrize(
    ("text", "returned", "invented"),
    [
        ("132 of 160; the best month had 151.", INN, ["151"]),
        ("132 of 160 at $94.50, and $71.30 in winter.", INN, ["$71.30"]),
        ("48 boxes at €17.25, with a rebate of 7 %.", DEPOT, ["7 %"]),
        ("48 boxes at €17.25; ten of them would cost €180.", DEPOT, ["ten", "€180"]),
        ("48 boxes of more than 9 kg each.", DEPOT, ["9 kg"]),
        ("Ordered on 10 November 2026, it comes on 23 November 2026.", DEPOT, ["23 November 2026"]),
    ],
)
def test_what_no_figures_make_stays_an_invention(
    text: str, returned: dict[str, object], invented: list[str]
) -> None:
    assert _invented(text, returned) == invented
