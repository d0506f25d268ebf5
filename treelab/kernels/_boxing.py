"""A signal that comes while a kernel runs is answered when its results are in Python.

numba makes arrays and named tuples of results by their classes, which machine code asks a function
in Python for. Its first step answers signals. Where a handler raises, numba goes on without the
class: the signal is lost, or a named tuple is made of nothing, by a fault of memory. Here machine
code is asked in place of that function. It keeps what it has read in the same way.
"""

import pickle
from threading import Lock
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core.registry import cpu_target

SYMBOL = "numba_unpickle"
"""What machine code asks, found by this name when it is loaded."""

KEPT: dict[tuple[int, bytes], object] = {}
"""What was read, by the address and the bytes that were read."""

READ = pickle.loads

OBJECT: Any = ir.IntType(8).as_pointer()
SIZE, LENGTH = ir.IntType(64), ir.IntType(32)

_lock = Lock()
_engines: list[Any] = []


def box_undisturbed() -> None:
    """Let code that is loaded from now on ask the function below."""
    with _lock:
        if _engines:
            return
        _ = cpu_target.target_context  # gives numba's function the name; the last one counts
        if llvm.address_of_symbol(SYMBOL) is None:
            raise AttributeError(f"numba has no {SYMBOL}")
        machine = llvm.Target.from_default_triple().create_target_machine(opt=0)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(str(_module())), machine)
        engine.finalize_object()
        llvm.add_symbol(SYMBOL, engine.get_function_address("treelab_unpickle"))
        _engines.append(engine)  # without it the code is gone


def _module() -> Any:
    """Write `KEPT.get((address, bytes))`, else `READ(bytes)`, as calls of Python's C interface.

    Nothing in them is bytecode, for classes that can be imported.
    """
    module: Any = ir.Module()
    kind = ir.FunctionType(OBJECT, [OBJECT, LENGTH, OBJECT])
    function: Any = ir.Function(module, kind, "treelab_unpickle")
    data, length, _digest = function.args
    b: Any = ir.IRBuilder(function.append_basic_block())

    def call(name: str, *args: Any, gives: Any = OBJECT, any_number: bool = False) -> Any:
        takes = [arg.type for arg in args][: 1 if any_number else None]
        known = module.globals.get(name)
        kind = ir.FunctionType(gives, takes, any_number)
        return b.call(known or ir.Function(module, kind, name), args)

    def address_of(thing: object) -> Any:
        return ir.Constant(SIZE, id(thing)).inttoptr(OBJECT)

    null = ir.Constant(OBJECT, None)
    address = call("PyLong_FromVoidPtr", data)
    content = call("PyBytes_FromStringAndSize", data, b.sext(length, SIZE))
    key = call("PyTuple_Pack", ir.Constant(SIZE, 2), address, content, any_number=True)
    kept = call("PyDict_GetItemWithError", address_of(KEPT), key)
    with b.if_else(b.icmp_unsigned("==", kept, null)) as (is_new, is_known):
        with is_new:
            given = address_of(READ), content, null
            new = call("PyObject_CallFunctionObjArgs", *given, any_number=True)
            with b.if_then(b.icmp_unsigned("!=", new, null)):
                call("PyDict_SetItem", address_of(KEPT), key, new, gives=LENGTH)
            after_new = b.block
        with is_known:
            call("Py_IncRef", kept, gives=ir.VoidType())
            after_known = b.block
    found = b.phi(OBJECT)
    found.add_incoming(new, after_new)
    found.add_incoming(kept, after_known)
    for each in (address, content, key):
        call("Py_DecRef", each, gives=ir.VoidType())
    b.ret(found)
    return module
