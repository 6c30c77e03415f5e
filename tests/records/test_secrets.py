"""What is taken for a secret, what is not, and what is left of it."""

from collections import Counter

import pytest

from agentdyno.records.secrets import clean_field, clean_text
from agentdyno.records.secrets.batch import find_changes
from tests.fake_secrets import FAKES
from tests.labelled import from_set


@pytest.mark.parametrize("kind", FAKES)
def test_nothing_of_a_secret_is_left_but_its_kind(kind: str) -> None:
    fake, inner = FAKES[kind]
    for text in (fake, f"before {fake} after", f'{{"x": "{fake}"}}', f"A={fake}\nB=2", f"({fake})"):
        counts: Counter[str] = Counter()
        cleaned = clean_text(text, counts)
        assert inner not in cleaned
        assert f"[secret: {kind}" in cleaned
        assert counts[kind] == 1
        assert clean_text(cleaned) == cleaned


@pytest.mark.parametrize("kind", FAKES)
def test_the_quick_look_misses_none(kind: str) -> None:
    fake, inner = FAKES[kind]
    assert inner not in find_changes([f"x {fake} y"])[f"x {fake} y"]


def test_two_secrets_are_told_apart_and_a_password_gets_no_digest() -> None:
    one, other = (clean_text(f"sk-proj-{'a1B2' * 6}{end}") for end in "xy")
    assert one != other
    assert one == clean_text(f"sk-proj-{'a1B2' * 6}x")
    assert clean_text("https://me:hunter2secret@host/x") == "https://me:[secret: password]@host/x"


@from_set("records/secrets", "text")
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert clean_text(text) == text


def test_a_secret_that_a_cut_left_half_of_is_found_at_the_end_only() -> None:
    long = "could not authenticate against the service with the key "
    assert clean_field(f"{long}sk-proj-a1B2") == f"{long}[secret: cut off]"
    assert clean_field(f"{long}sk-proj-a1B2 and more") == f"{long}sk-proj-a1B2 and more"
    assert clean_field("sk-proj-a1B2") == "sk-proj-a1B2"  # Too short to have been cut.


def test_a_private_key_without_its_end_takes_what_may_belong_to_it() -> None:
    text = "-----BEGIN RSA PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA\\nabc"
    assert clean_text(text).startswith("[secret: private-key")
    assert "MIIE" not in clean_text(text)
    assert clean_text(f'{{"key": "{text}", "other": "kept"}}').endswith('"other": "kept"}')
