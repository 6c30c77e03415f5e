"""What a text may state because it follows from what is known, and what it may not."""

import pytest

from agentdyno.matching.legacy_values import read_values
from agentdyno.matching.support import sources, unsupported

TRAIN = {"departs": "17:52", "delay_min": 9}
BAND = {"band_gbp": "52000-61000"}
FLOWS = [{"flow_m3_s": 63.2}, {"flow_m3_s": 48.9}]
CASES = [
    (TRAIN, "17:52, 9 minutes late, so 18:01", []),
    (TRAIN, "17:52, 9 minutes late, so 18:02", ["18:02"]),
    ({"hold_min": 25}, "just under half an hour (25 min)", []),
    ({"hold_min": 25}, "half an hour (25 min)", ["half an hour"]),
    (BAND, "so £56,500 in the middle", []),
    (BAND, "so £57,500 in the middle", ["£57,500"]),
    (FLOWS, "a gap of 14.3 m³/s (29 %)", []),
    (FLOWS, "a gap of 15.3 m³/s (31 %)", ["15.3 m³", "31 %"]),
    ({"fat_g_l": 8.1}, "0.81 g per 100 ml", []),
    ({"made_kwh": 3460, "panels": 96}, "that's 36 kWh a panel", []),
    ({"pace_per_km": "4:14"}, "`4:14 /km`", []),
    ({"covered_share": 0.83}, "17 % stays uncovered, i.e. 83 % is covered", []),
]


@pytest.mark.parametrize(("returned", "text", "claims"), CASES, ids=[text for _, text, _ in CASES])
def test_what_follows_is_supported_and_nothing_else(
    returned: object, text: str, claims: list[str]
) -> None:
    found = unsupported(text, read_values(text), sources([returned], []))
    assert [claim.text for claim in found] == claims
