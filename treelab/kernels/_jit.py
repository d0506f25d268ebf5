"""The one place that says how kernels are compiled."""

from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.extending import overload, register_jitable, typeof_impl

from treelab.kernels._collector import uncollected
from treelab.kernels._keeping import MOVED, keep_code
from treelab.kernels._signals import undisturbed
from treelab.kernels._watch import listen

with suppress(*MOVED):  # else nobody hears that kernels are compiled
    listen()

FUNCTION: Any = types.FunctionType
with suppress(*MOVED):  # else numba looks an address up at every call
    from treelab.kernels._address import AddressType

    FUNCTION = AddressType

OPTIONS: dict[str, Any] = {"nogil": True}
with suppress(*MOVED):
    from numba.core.options import DefaultOptions

    # Nobody calls a kernel by its address, and that entrance would be compiled, too.
    OPTIONS |= {"no_cfunc_wrapper": bool(DefaultOptions.no_cfunc_wrapper)}

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile a module-level function on first use.

    The machine code is kept on disk, so only the first process ever waits for it.
    `nogil`: threads may run kernels side by side.
    No `fastmath`: NaN stands for missing values, and sums must not be reordered.
    """
    compiled: Any = numba.njit(**OPTIONS)(function)
    if compiled is not function:  # as it is where compilation is switched off
        keep_code(compiled, function)
        compiled.compile = uncollected()(undisturbed()(_boxing(compiled.compile)))
        compiled.get_call_template = _of_any_number(compiled.get_call_template)
    return cast(Function, compiled)


def _boxing(make: Callable[..., Any]) -> Callable[..., Any]:
    """Make or load machine code that answers no signal while it hands over its results."""

    def made(*args: Any) -> Any:
        with suppress(*MOVED):  # else an interrupt may end the process by a fault of memory
            from treelab.kernels._boxing import box_undisturbed

            box_undisturbed()
        return make(*args)

    return made


def step(function: Function) -> Function:
    """Write a small function into the kernels that call it, instead of compiling it by itself.

    Nobody but kernels should call it; it has no machine code of its own to keep.
    """
    written: Any = numba.njit(nogil=True, inline="always")(function)
    return cast(Function, written)


def _of_any_number(template: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels that call a kernel with a number in writing, such as 0, have it as any number.

    numba would compile it once for 0 and once for all others.
    """
    unliteral: Any = types.unliteral
    return lambda args, kws: template(
        [unliteral(kind) for kind in args], {name: unliteral(kws[name]) for name in kws}
    )


def elementwise(function: Function) -> Function:
    """Let compiled formulas call a function, which stays a numpy function for everybody else."""
    if function in _HAVE_TWINS:
        return function
    jitable: Any = register_jitable(function)
    return cast(Function, jitable)


_HAVE_TWINS: set[Callable[..., Any]] = set()


def compiled_as(of_one: Callable[..., Any]) -> Callable[[Function], Function]:
    """Let compiled formulas call a function of one number in place of the decorated one.

    For functions that numba does not know; both must have the same parameters.
    """

    def give(function: Function) -> Function:
        _HAVE_TWINS.add(function)
        overload(function, strict=False)(lambda counts: of_one)  # noqa: ARG005  (what is called)
        return function

    return give


class Address(types.WrapperAddressProtocol):
    """A compiled formula as kernels take it; numba knows its type without looking it up."""

    def __init__(self, compiled: Any) -> None:
        self._compiled, self.address = compiled, int(compiled.address)
        self._numba_type_ = FUNCTION(compiled._sig)

    def __wrapper_address__(self) -> int:
        return self.address

    def signature(self) -> Any:
        return self._compiled._sig


@typeof_impl.register(Address)
def _type_of_address(formula: Address, _where: Any) -> Any:
    return formula._numba_type_


def pointer(function: Callable[..., Any], signature: str) -> Any:
    """Compile a formula to an address that kernels can call; None where numba cannot.

    Kernels are compiled once for all formulas of one signature, so their machine code is kept on
    disk, which is not so for functions that numba takes in. Where numba is told not to compile
    anything (NUMBA_DISABLE_JIT), kernels are plain Python and call the formula itself.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    try:
        from numba.core.ccallback import CFunc
        from numba.core.sigutils import normalize_signature

        form: Any = normalize_signature(signature)  # type: ignore[no-untyped-call]
        compiled = CFunc(function, form, locals={}, options={})
        keep_code(compiled, function)
        with uncollected(), undisturbed():
            compiled.compile()
    except Exception:  # whatever numba may say of a function that was not written for it
        return None
    return Address(compiled)


def over_many(loop: FunctionType, formula: FunctionType) -> FunctionType:
    """Return a loop that calls a formula, under the formula's name and place.

    An address that is called once for many numbers costs next to nothing, and the compiler sees
    into the formula. numba keeps the machine code beside the file of the formula, as it would keep
    the formula itself.

    Parameters
    ----------
    loop
        Calls the global `formula`.
    formula
        What it is to call.
    """
    place = formula.__code__
    code = loop.__code__.replace(
        co_filename=place.co_filename,
        co_firstlineno=place.co_firstlineno,
        co_name=f"{place.co_name}_of_many",
        co_qualname=f"{place.co_qualname}_of_many",
    )
    seen = {"__name__": formula.__module__, "formula": elementwise(formula)}
    return FunctionType(code, seen)
