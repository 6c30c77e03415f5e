"""The own rule against hard answers from other fields, each set kept before it was run once."""

import pytest

from tests.metrics.failures.eighteenth_set import EIGHTEENTH
from tests.metrics.failures.eleventh_set import ELEVENTH
from tests.metrics.failures.fifteenth_set import FIFTEENTH
from tests.metrics.failures.fourteenth_set import FOURTEENTH
from tests.metrics.failures.nineteenth_set import NINETEENTH
from tests.metrics.failures.ninth_set import NINTH
from tests.metrics.failures.outside_sets import Case, missed
from tests.metrics.failures.seventeenth_set import SEVENTEENTH
from tests.metrics.failures.sixteenth_set import SIXTEENTH
from tests.metrics.failures.tenth_set import TENTH
from tests.metrics.failures.thirteenth_set import THIRTEENTH
from tests.metrics.failures.thirtieth_set import THIRTIETH
from tests.metrics.failures.thirtyfirst_set import THIRTYFIRST
from tests.metrics.failures.twelfth_set import TWELFTH
from tests.metrics.failures.twentieth_set import TWENTIETH
from tests.metrics.failures.twentyeighth_set import TWENTYEIGHTH
from tests.metrics.failures.twentyfifth_set import TWENTYFIFTH
from tests.metrics.failures.twentyfirst_set import TWENTYFIRST
from tests.metrics.failures.twentyfourth_set import TWENTYFOURTH
from tests.metrics.failures.twentyninth_set import TWENTYNINTH
from tests.metrics.failures.twentysecond_set import TWENTYSECOND
from tests.metrics.failures.twentyseventh_set import TWENTYSEVENTH
from tests.metrics.failures.twentysixth_set import TWENTYSIXTH
from tests.metrics.failures.twentythird_set import TWENTYTHIRD

SETS = {
    "ninth": NINTH,
    "tenth": TENTH,
    "eleventh": ELEVENTH,
    "twelfth": TWELFTH,
    "thirteenth": THIRTEENTH,
    "fourteenth": FOURTEENTH,
    "fifteenth": FIFTEENTH,
    "sixteenth": SIXTEENTH,
    "seventeenth": SEVENTEENTH,
    "eighteenth": EIGHTEENTH,
    "nineteenth": NINETEENTH,
    "twentieth": TWENTIETH,
    "twenty-first": TWENTYFIRST,
    "twenty-second": TWENTYSECOND,
    "twenty-third": TWENTYTHIRD,
    "twenty-fourth": TWENTYFOURTH,
    "twenty-fifth": TWENTYFIFTH,
    "twenty-sixth": TWENTYSIXTH,
    "twenty-seventh": TWENTYSEVENTH,
    "twenty-eighth": TWENTYEIGHTH,
    "twenty-ninth": TWENTYNINTH,
    "thirtieth": THIRTIETH,
    "thirty-first": THIRTYFIRST,
}


@pytest.mark.parametrize("cases", SETS.values(), ids=SETS)
def test_answers_from_outside_are_labelled_as_by_hand_in_95_of_100(cases: list[Case]) -> None:
    wrong = missed(cases)
    assert len(wrong) <= 0.05 * len(cases), wrong
