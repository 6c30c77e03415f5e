"""Which addresses belong to the public internet, and what bodies are read from them."""

import gzip
import zlib

import pytest

from agentdyno_bench.pte.tools.http import RefusedError, parse_target
from agentdyno_bench.pte.tools.http.addresses import literal_problem, why_not_public
from agentdyno_bench.pte.tools.http.exchange import open_decoder


@pytest.mark.parametrize(
    "address", ["93.184.215.14", "8.8.8.8", "172.15.0.1", "172.32.0.1", "2606:4700:4700::1111"]
)
def test_public_addresses_are_allowed(address: str) -> None:
    assert why_not_public(address) is None


def test_what_is_no_address_is_said_to_be_none() -> None:
    assert why_not_public("nowhere") == "is not an IP address"


@pytest.mark.parametrize("host", ["example.com", "1.example", "93.184.215.14", "face.test"])
def test_names_and_public_numbers_are_no_problem(host: str) -> None:
    assert literal_problem(host) is None


@pytest.mark.parametrize("host", ["127.1", "0177.1", "2130706433", "0x7f000001", "a.localhost"])
def test_numbers_are_read_as_the_system_reads_them(host: str) -> None:
    assert literal_problem(host) == "is loopback"


SPECIAL = [
    "0.1.2.3", "10.255.0.1", "100.127.255.254", "127.0.0.2", "169.254.169.254", "172.31.0.9",
    "192.0.0.1", "192.0.0.9", "192.0.0.10", "192.0.0.170", "192.0.0.192", "192.0.2.7",
    "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.255.1", "192.175.48.1", "198.18.0.1",
    "198.19.255.254", "198.51.100.3", "203.0.113.9", "224.0.0.251", "233.252.0.1", "239.1.2.3",
    "240.0.0.1", "255.255.255.255", "168.63.129.16",
]  # fmt: skip


@pytest.mark.parametrize("address", SPECIAL)
def test_special_purpose_addresses_are_refused_by_our_own_table(address: str) -> None:
    assert why_not_public(address) is not None
    assert why_not_public(f"::ffff:{address}") is not None
    assert why_not_public(f"64:ff9b::{address}") is not None


BAD_REDIRECTS = [
    "http://[::1", "http://[", "//[fe80::1%25", "http://[::1]:99999/", "http://a:b:c/",
    "http://exa mple.com/", "http:///", "https://", "javascript:alert(1)", "file:///etc/passwd",
    "http://user@host/", "http://host:0/", "http://\u2100/", "gopher://x/", "http://[v1.x]/",
    "http://a\\b/",
]  # fmt: skip


@pytest.mark.parametrize("location", BAD_REDIRECTS)
def test_a_malformed_redirect_is_refused_and_nothing_worse(location: str) -> None:
    start = parse_target("https://example.com/a")
    with pytest.raises(RefusedError):
        start.join(location)


TEXT = b"0123456789" * 400


def test_a_page_of_several_gzip_members_is_read_whole() -> None:
    unfold = open_decoder("gzip")
    body = gzip.compress(TEXT) + gzip.compress(b"and the rest")
    got = b"".join(unfold.feed(body[i : i + 7], 10**6) for i in range(0, len(body), 7))
    assert got == TEXT + b"and the rest"
    assert unfold.has_ended()


def test_a_body_that_breaks_off_is_said_to_be_cut() -> None:
    unfold = open_decoder("gzip")
    unfold.feed(gzip.compress(TEXT)[:-12], 10**6)
    assert not unfold.has_ended()


def test_bare_deflate_is_read_as_browsers_do() -> None:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    body = packer.compress(TEXT) + packer.flush()
    unfold = open_decoder("deflate")
    assert unfold.feed(body, 10**6) == TEXT
    assert unfold.has_ended()


def test_no_more_is_unfolded_than_there_is_room_for() -> None:
    bomb = gzip.compress(b"0" * 10**7)
    assert len(open_decoder("gzip").feed(bomb, 1000)) <= 1000
