"""One cluster of real processes for all tests that only use it, or kill workers of it."""

import pytest
from clusters import processes


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    pytest.importorskip("distributed")
    with processes(tmp_path_factory.mktemp("cluster")) as started:
        yield started
