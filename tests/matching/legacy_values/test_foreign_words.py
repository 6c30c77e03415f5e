"""Counts and times of day in the words of other languages."""

import pytest

from agentdyno.matching.legacy_values import Slot, states

COUNTS = [
    (34, "Il reste encore trente-quatre places pour le concert."),
    (71, "Il reste soixante et onze places pour le concert."),
    (80, "Il reste quatre-vingts places pour le concert."),
    (96, "Il reste quatre-vingt-seize places pour le concert."),
    (34, "Es sind noch vierunddreißig Plätze für das Konzert frei."),
    (22, "Quedan veintidós plazas en el autobús de las ocho."),
    (45, "Quedan cuarenta y cinco plazas en el autobús de las ocho."),
    (28, "Ci sono ancora ventotto posti nel treno della sera e basta."),
    (63, "Há sessenta e três lugares e são todos do mesmo preço, que não muda."),
    (23, "Er zijn nog drieëntwintig kaarten voor de voorstelling van het weekend."),
]
TIMES = [
    ("19:30", "La bibliothèque ferme à 19 h 30."),
    ("19:30", "Elle ferme à sept heures et demie du soir."),
    ("06:45", "Il part à sept heures moins le quart."),
    ("06:40", "Sale a las siete menos veinte de la mañana."),
    ("18:15", "Sale a las seis y cuarto de la tarde."),
    ("15:30", "De voorstelling begint om half vier 's middags."),
    ("08:45", "Het begint om kwart voor negen."),
    ("09:30", "Beginn ist um halb zehn."),
    ("17:50", "Der Zug fährt um zehn vor sechs abends."),
    ("06:40", "O ônibus sai às vinte para as sete."),
    ("20:30", "Lo spettacolo comincia alle otto e mezza di sera."),
]
OTHER_TIMES = [
    ("19:30", "La bibliothèque ferme à 18 h 30."),
    ("18:40", "Sale a las siete menos veinte de la mañana."),
    ("03:30", "De voorstelling begint om half vier 's middags."),
    ("16:30", "De voorstelling begint om half vier."),
    ("07:20", "Sale a las siete menos veinte."),
]


@pytest.mark.parametrize(("count", "text"), COUNTS)
def test_a_count_is_read_in_the_words_of_its_language(count: int, text: str) -> None:
    assert states(text, Slot("number", count))
    assert not states(text, Slot("number", count + 1))
    part, tens = count % 10 or 4, count // 10 * 10
    assert not states(text, Slot("number", part))
    assert not states(text, Slot("number", tens)) or tens == count


def test_english_words_are_no_counts_of_another_language() -> None:
    assert not states("We met once, and the rent is due.", Slot("number", 11))


@pytest.mark.parametrize(("time", "text"), TIMES)
def test_a_time_is_read_in_the_words_of_its_language(time: str, text: str) -> None:
    assert states(text, Slot("time", time))


@pytest.mark.parametrize(("time", "text"), OTHER_TIMES)
def test_no_other_time_is_read_out_of_the_words(time: str, text: str) -> None:
    assert not states(text, Slot("time", time))
