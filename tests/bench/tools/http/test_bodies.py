"""Compressed bodies: whole, or said to be cut."""

import gzip
import zlib

from agentdyno_bench.tools.http.exchange import open_decoder

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
