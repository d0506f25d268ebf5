"""How kernels are compiled."""

from runpy import run_path

import pytest

KERNELS = """
from treelab.kernels._jit import kernel

@kernel
def after(number, step=1):
    return number + step

@kernel
def chain(number):
    return after(0, 2) + after(number, step=number) + after(after(7), 3)
"""


@pytest.mark.compiled("it counts what was compiled")
def test_a_number_in_writing_needs_no_code_of_its_own(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    kernels = run_path(str(tmp_path / "kernels.py"))

    assert kernels["chain"](5) == 2 + 10 + 11
    assert len(kernels["after"].signatures) == 2  # with a step and without
