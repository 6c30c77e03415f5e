"""Pools on disk: whole lines, torn ends, other settings."""

import pytest
from msgspec.structs import replace

from agentdyno.records import InputError
from agentdyno_depth.think.pool_files import append_problems, read_pool, resume_pool, write_pool
from tests.studies.thinking_pools import pool, sample, ungraded

POOL = pool([sample("7"), sample(None)], [ungraded(sample("9")), sample("7")])


def test_a_pool_comes_back_as_it_was_written(tmp_path):
    file = tmp_path / "pool.jsonl"
    write_pool(file, POOL)
    assert read_pool(file) == POOL
    assert len(file.read_bytes().splitlines()) == 3


def test_appending_problems_gives_the_same_file_as_writing_all(tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    write_pool(one, POOL)
    append_problems(two, POOL.head, POOL.problems[:1])
    append_problems(two, POOL.head, POOL.problems[1:])
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_file_that_was_cut_off_goes_on_after_its_last_whole_problem(tmp_path, cut):
    file = tmp_path / "pool.jsonl"
    write_pool(file, POOL)
    file.write_bytes(file.read_bytes()[:-cut])
    kept = 2 if cut == 1 else 1  # Only the line feed is missing.
    assert resume_pool(file, POOL.head).problems == POOL.problems[:kept]
    append_problems(file, POOL.head, POOL.problems[kept:])
    assert read_pool(file) == POOL


def test_a_pool_of_other_settings_is_not_gone_on_with(tmp_path):
    file = tmp_path / "pool.jsonl"
    write_pool(file, POOL)
    with pytest.raises(InputError, match="other settings"):
        resume_pool(file, replace(POOL.head, seed=1))


@pytest.mark.parametrize("text", ["", "{}\n", '{"pool": 1}\n', "not json\n", "\n\n"])
def test_what_is_no_pool_is_an_error_that_says_so(tmp_path, text):
    file = tmp_path / "pool.jsonl"
    file.write_text(text)
    with pytest.raises(InputError, match="expected a"):
        read_pool(file)


def test_a_bad_line_is_named(tmp_path):
    file = tmp_path / "pool.jsonl"
    write_pool(file, POOL)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], '{"problem": 3}', lines[2]]) + "\n")
    with pytest.raises(InputError, match="line 2: expected a line of a pool"):
        read_pool(file)
