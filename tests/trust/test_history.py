"""What a process did before changes no byte of what it does now; `make trust` has the long form."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import steady
from workload import CALLS, done

# Every second kind of call: what is expected of each needs a process that has loaded nothing yet.
PROBES = [(place, 11 * place + 3) for place in range(0, len(CALLS), 2)]
calls = st.tuples(st.integers(0, len(CALLS) - 1), st.integers(0, 20))


def test_random_calls_before_change_no_byte(script):
    history = script("history")
    known = history.expected(PROBES)
    assert len(set(known.values())) == len(PROBES)  # else what follows would show nothing

    @steady(12)
    @given(st.lists(calls, max_size=3), st.sampled_from(PROBES))
    def check(before, probe):
        for call in before:
            done(call)

        assert history.digest(probe) == known[probe]

    check()
