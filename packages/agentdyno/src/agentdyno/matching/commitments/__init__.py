"""What a text commits to: text in, commitments out; and whether it commits to a given value.

    read_text(text) -> Reading              sentences, values and their stances, read once
    Reading.commitments                     subject words, typed value, stance and span of each
    find_hits(reading, expected, value)     every place that states a value, with its stance
    decide(reading, expected, rivals, known)  yes, no or unclear, with the reason and the span

A commitment is a typed value (number with unit, date, time, code) that stands in a text, the words
that stand nearest to it (its subject), and how the text stands to it: asserted, denied, hedged,
alternative, range, question, quoted from somebody else, past (of another time) or withdrawn. The
last assertion about a subject wins: a correction withdraws what it corrects, and a value that the
writer adopts ("so I'd go with …") stands over one that was only stated.

`decide` asks of one slot: does the text commit to this value for it? `expected` is the value with
the words of its slot (`values.expect`). `rivals` are values that would be wrong for the slot, such
as what somebody would answer who did not look. `known` are values of other slots: they explain
figures that are no rivals, unless one stands where the expected one should. Names, states and
truths cannot be listed from a text, so they are looked for in it and get their stance from the
same cues.

yes      the text asserts the value, and asserts no rival for the slot behind it
no       it asserts another value of the kind for the slot, or a rival; it denies or withdraws the
         value and asserts another; it reports the value and goes with another; it leaves it open
         beside another; it gives it the name or unit of another slot; it says that there are
         none; it declines; or it lacks a code or proper name, which nobody puts in other words
unclear  anything else: the value is hedged, rounded coarsely, or is not found although the text
         holds figures or words for a state that this reader cannot place

It may be wrong about irony, about pronouns over several sentences, and about languages other than
those of the lexicon, in which it reads values but few stances.

Worked: of "The record has 36 crates; I'd ignore that and say 50." 36 is denied and 50 asserted:
no for 36. "36 or 50 crates": no, left open. "Three dozen, not 50": yes.
"""

from agentdyno.matching.commitments.deciding import decide
from agentdyno.matching.commitments.hits import Hit, find_hits
from agentdyno.matching.commitments.reading import Commitment, Reading, read_text
from agentdyno.matching.commitments.stance import Answer, Decision, Stance

__all__ = [
    "Answer",
    "Commitment",
    "Decision",
    "Hit",
    "Reading",
    "Stance",
    "decide",
    "find_hits",
    "read_text",
]
