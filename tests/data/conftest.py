"""Frames of every library, and files."""

import pytest
from frames_read import FRAMES


@pytest.fixture(params=list(FRAMES))
def backend(request):
    return request.param


@pytest.fixture
def frame_of(backend):
    return lambda **columns: FRAMES[backend](columns)


@pytest.fixture
def file(tmp_path):
    """Write a file and return its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
