"""A bounded cache: what was used last stays, by number and by bytes; reading it costs next to nothing."""

from __future__ import annotations

import threading
from functools import partial

from engine.runtime.bounded import Bounded
from tests.drawn import given, st


def test_the_value_that_was_used_least_recently_goes_first() -> None:
    cache = Bounded[str, int](3)
    for number, key in enumerate("abc"):
        cache.keep(key, number)
    assert cache.get("a") == 0
    cache.keep("d", 3)
    assert list(cache.kept) == ["c", "a", "d"]
    assert cache.get("b") is None


def test_looking_is_no_use() -> None:
    cache = Bounded[str, int](2)
    cache.keep("a", 1)
    cache.keep("b", 2)
    assert cache.kept["a"] == 1
    cache.keep("c", 3)
    assert list(cache.kept) == ["b", "c"]


def test_bytes_are_counted_and_the_newest_stays_however_large() -> None:
    cache = Bounded[str, bytes](size=10, size_of=len)
    cache.keep("a", b"1234")
    cache.keep("b", b"123456")
    assert (list(cache.kept), cache.bytes) == (["a", "b"], 10)
    cache.keep("a", b"12345")
    assert (list(cache.kept), cache.bytes) == (["a"], 5), "the former value of a key counts no more"
    cache.keep("c", b"1" * 20)
    assert (list(cache.kept), cache.bytes) == (["c"], 20)
    cache.keep("d", b"1")
    assert (list(cache.kept), cache.bytes) == (["d"], 1)
    cache.drop("d")
    cache.drop("d")
    assert (len(cache), cache.bytes) == (0, 0)


def test_a_value_is_made_once() -> None:
    cache, made = Bounded[str, list[int]](2), []

    def make() -> list[int]:
        made.append(1)
        return []

    found = cache.find("a", make)
    assert cache.find("a", make) is found, "also an empty one"
    assert len(made) == 1
    cache.clear()
    assert cache.find("a", make) is not found


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 9), st.booleans())), st.integers(1, 4))
def test_it_holds_what_a_plain_list_of_the_last_uses_says(steps: list[tuple[str, int, bool]], most: int) -> None:
    cache, plain = Bounded[str, int](most, size=20, size_of=int), list[tuple[str, int]]()
    for key, value, reads in steps:
        known = dict(plain).get(key)
        plain = [each for each in plain if each[0] != key]
        if reads:
            assert cache.get(key) == known
            if known is not None:
                plain.append((key, known))
        else:
            cache.keep(key, value)
            plain.append((key, value))
            while len(plain) > 1 and (len(plain) > most or sum(size for _, size in plain) > 20):
                plain.pop(0)
        assert list(cache.kept.items()) == plain
        assert cache.bytes == sum(size for _, size in plain)


def test_threads_may_share_one() -> None:
    cache, problems = Bounded[int, int](8, size=1000, size_of=lambda value: 1), []

    def use(start: int) -> None:
        try:
            for number in range(4000):
                cache.find((start + number * 7) % 16, partial(int, number))
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=use, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert (len(cache), cache.bytes) == (8, 8)
