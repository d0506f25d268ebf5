"""Data made to order: generators by name, each with a seed."""

from inspect import getdoc, signature
from typing import Any

import attrs

from treelab._registry import Registry
from treelab.data.dataset import Dataset
from treelab.data.synth.classics import led, monks
from treelab.data.synth.genetics import epistasis
from treelab.data.synth.multivalued import kononenko
from treelab.data.synth.numeric import checkerboard, four_gaussians
from treelab.data.synth.parity import exor, parity, rannum

GENERATORS: Registry[Dataset] = Registry("generator", "treelab.generators")
GENERATORS.add("checkerboard", checkerboard)
GENERATORS.add("epistasis", epistasis)
GENERATORS.add("exor", exor)
GENERATORS.add("four-gaussians", four_gaussians)
GENERATORS.add("kononenko", kononenko)
GENERATORS.add("led", led)
GENERATORS.add("monks", monks)
GENERATORS.add("parity", parity)
GENERATORS.add("rannum", rannum)


@attrs.frozen
class GeneratorInfo:
    """One line of `treelab datasets`, and all that is told of a generator."""

    name: str
    title: str
    parameters: dict[str, Any]
    description: str


def make(name: str, seed: int | None = None, **parameters: Any) -> Dataset:
    """Return data made by a generator.

    Parameters
    ----------
    name
        The generator, one of `generator_names()`, or a specification such as 'exor:n=4,m=2'.
    seed
        The same seed makes the same data; 0 if nothing is said.
    parameters
        Those of the generator: `treelab datasets make:exor` tells them.

    Examples
    --------
    >>> make("exor", n=3, m=10, cases=200, seed=0)
    Dataset 'exor': 200 cases, 13 nominal features, target 'class' (2 classes: 0 102, 1 98)
    >>> make("exor", case=100)
    Traceback (most recent call last):
        ...
    treelab.errors.UnknownNameError: unknown parameter 'case' of generator 'exor': \
did you mean 'cases'?
    """
    if seed is not None:
        parameters["seed"] = seed
    return GENERATORS.make(name, **parameters)


def generator_names() -> list[str]:
    """Return the names of all generators.

    >>> generator_names()[:3]
    ['checkerboard', 'epistasis', 'exor']
    """
    return GENERATORS.names()


def generator_info(name: str) -> GeneratorInfo:
    """Return what is known of a generator: its title, parameters with defaults, description."""
    factory = GENERATORS.factory(name)
    description = getdoc(factory) or ""
    defaults = {key: p.default for key, p in signature(factory).parameters.items()}
    return GeneratorInfo(name, description.partition("\n")[0], defaults, description)
