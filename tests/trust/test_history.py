"""What a process did before changes no byte of what it does now; `make trust` has the long form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady
from workload import CALLS, done

PROBES = [(place, 11 * place + 3) for place in range(len(CALLS))]
calls = st.tuples(st.integers(0, len(CALLS) - 1), st.integers(0, 20))
known = {}


@pytest.fixture
def history(script):
    loaded = script("history")
    if not known:
        known.update(loaded.expected(PROBES))
    return loaded


def test_random_calls_before_change_no_byte(history):
    @steady(12)
    @given(st.lists(calls, max_size=3), st.sampled_from(PROBES))
    def check(before, probe):
        for call in before:
            done(call)

        assert history.digest(probe) == known[probe]

    check()


def test_every_call_gives_other_bytes(history):
    """Else the test above would show nothing."""
    assert history.digest(PROBES[0]) == known[PROBES[0]]
    assert len(set(known.values())) == len(PROBES)
