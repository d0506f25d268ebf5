"""Compiled formulas as kernels take them: by address.

numba's own way to take a function asks Python for its address, twice, through an import: that takes
longer than a small kernel. Here it is one attribute.
"""

from typing import Any

import numba.extending
from numba.core import cgutils, types
from numba.core.types import FunctionType
from numba.experimental.function_type import FunctionModel

extending: Any = numba.extending
new_struct: Any = cgutils.create_struct_proxy


class AddressType(FunctionType):
    """The type of a function that is known by its address."""


extending.register_model(AddressType)(FunctionModel)


def _unbox(typ: Any, formula: Any, c: Any) -> Any:
    """Read the attribute `address`."""
    taken = new_struct(typ)(c.context, c.builder)
    address = c.pyapi.object_getattr_string(formula, "address")
    taken.c_addr = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    pointer = c.context.get_value_type(types.voidptr)
    taken.py_addr = c.builder.bitcast(formula, pointer)
    taken.jit_addr = c.context.get_constant_null(types.voidptr)
    return extending.NativeValue(taken._getvalue())


extending.unbox(AddressType)(_unbox)
