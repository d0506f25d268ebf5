"""Classifiers by class and parameters, as scikit-learn's contract has them.

How they learn from a data set is in `treelab.experiment.peers`.
scikit-learn is imported when one takes part: that takes longer than all else.
"""

import ast
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, get_args

import attrs

from treelab._text import expression
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, UnknownNameError, check_choice, shown, words
from treelab.experiment.fingerprint import fingerprint
from treelab.experiment.models import Model
from treelab.experiment.peers import Encoding, fitted, learns

TRUSTED = "sklearn"
"""A study may name its classifiers without being asked."""


@attrs.frozen
class SklearnLearner:
    """A classifier class with its parameters.

    A random state that is not given is the trial's, in parts such as steps of a pipeline, too.
    """

    kind: type
    parameters: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    encoding: Encoding = "one-hot"

    def __attrs_post_init__(self) -> None:
        check_choice("encoding", self.encoding, get_args(Encoding))
        if not (isinstance(self.kind, type) and learns(self.kind)):
            raise ParameterError(f"expected a class with fit and predict, got {self.kind!r}")
        known = _parameter_names(self.kind)
        for name in self.parameters:
            if known is not None and name not in known:
                raise UnknownNameError("parameter", name, known, of=self.kind.__name__)
        try:
            fits = _is_classifier(self._estimator(0))
        except Exception as error:  # whatever a class may say of its parameters
            problem = f"{self.kind.__name__} cannot be made with these parameters: {error}"
            raise ParameterError(problem) from None
        if not fits:
            raise ParameterError(f"{self.kind.__name__} is not a classifier")

    @classmethod
    def of(cls, estimator: Any, encoding: Encoding = "one-hot") -> "SklearnLearner":
        """Return the learner of an estimator."""
        return cls(type(estimator), estimator.get_params(deep=False), encoding)

    @classmethod
    def parse(
        cls, text: str, encoding: Encoding = "one-hot", only: Sequence[str] | None = None
    ) -> "SklearnLearner":
        """Read 'sklearn.tree:DecisionTreeClassifier(max_depth=3)'.

        Nothing is evaluated: arguments are keywords with literal values. With `only`, all but these
        modules and what is in them are refused before anything is imported, so that a study file
        cannot run anybody's code.
        """
        module, name, parameters = _parts(text)
        if only is not None and not any(_is_public(module, each) for each in only):
            raise ParameterError(
                f"a study file may name classifiers of {' and '.join(only)} only, got "
                f"{shown(text)}; allow= (--allow MODULE) lets it name others"
            )
        kind = _class(module, name)
        packages = {each.split(".")[0] for each in only or ()}
        if packages and kind.__module__.split(".")[0] not in packages:
            raise UnknownNameError("classifier", name, _classifiers(module), of=module)
        return cls(kind, parameters, encoding)

    def fit(self, data: Dataset, seed: int) -> Model:
        return fitted(self._estimator(seed), self.encoding, data, seed)

    @property
    def fingerprint(self) -> str:
        return fingerprint([self.kind, dict(self.parameters), self.encoding])

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._changed().items())
        home = ".".join(part for part in self.kind.__module__.split(".") if part[0] != "_")
        return f"{home}:{self.kind.__name__}({given}), {self.encoding}"

    def _changed(self) -> dict[str, Any]:
        """Return the parameters that are written otherwise than the default."""
        try:
            default = self.kind().get_params(deep=False)
        except Exception:  # it cannot be made without any
            default = {}
        told = {name: repr(value) for name, value in default.items()}
        return {n: v for n, v in self.parameters.items() if told.get(n) != repr(v)}

    def _estimator(self, seed: int) -> Any:
        """Return an estimator that shares nothing with those of other trials."""
        from sklearn.base import clone

        estimator = self.kind(**self.parameters)
        if not has_parameters(estimator):
            return deepcopy(estimator)
        estimator = clone(estimator)
        parts = estimator.get_params()
        unset = [name for name, value in parts.items() if value is None and _is_random(name)]
        for part in parts.values():
            if getattr(part, "shuffle", False) and getattr(part, "random_state", 0) is None:
                part.random_state = seed % 2**32  # folds of a search, which have no parameters
        return estimator.set_params(**dict.fromkeys(unset, seed % 2**32))


def has_parameters(estimator: object) -> bool:
    """Tell whether an object can be made anew from what it says of itself."""
    return all(callable(getattr(estimator, name, None)) for name in ("get_params", "set_params"))


def _parameter_names(kind: type) -> list[str] | None:
    """Return what a class may be told; None where it takes any name, as LightGBM's do."""
    given = signature(kind).parameters.values()
    if any(each.kind is Parameter.VAR_KEYWORD for each in given):
        return None
    return [each.name for each in given]


def _is_classifier(estimator: Any) -> bool:
    """Tell whether an estimator is a classifier; what does not say its kind may be one."""
    from sklearn.base import is_classifier

    return not hasattr(estimator, "__sklearn_tags__") or bool(is_classifier(estimator))


def _is_random(parameter: str) -> bool:
    """Tell whether a parameter is the random state of an estimator, or of a part of it."""
    return parameter.split("__")[-1] == "random_state"


def _parts(text: str) -> tuple[str, str, dict[str, Any]]:
    module, found, call = text.partition(":")
    try:
        tree = expression(call.strip())
        if isinstance(tree, ast.Name):
            return module.strip(), tree.id, {}
        if not found or not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
            raise ValueError
        if tree.args or any(word.arg is None for word in tree.keywords):
            raise ValueError
        values = {str(word.arg): ast.literal_eval(word.value) for word in tree.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise ParameterError(
            "a classifier is written as module:Class(parameter=value, ...) with plain values, "
            f"such as sklearn.tree:DecisionTreeClassifier(max_depth=3), got {shown(text)}"
        ) from None
    return module.strip(), tree.func.id, values


def _is_public(module: str, allowed: str) -> bool:
    """Tell whether a module is allowed, or one for users in it: not private, nor a test of it."""
    if module != allowed and not module.startswith(f"{allowed}."):
        return False
    rest = module.removeprefix(allowed).split(".")[1:]
    inner = ("conftest", "externals", "tests")
    return not any(part[:1] in ("", "_") or part in inner for part in rest)


def allowed_modules(allow: Iterable[str]) -> tuple[str, ...]:
    """Return the modules whose classifiers a study may name: scikit-learn's and the user's own.

    >>> allowed_modules(["lightgbm"])
    ('sklearn', 'lightgbm')
    """
    for module in (named := words("allow", allow)):
        if not all(part.isidentifier() for part in module.split(".")):
            raise ParameterError(f"allow names modules such as lightgbm, got {shown(module)}")
    return (TRUSTED, *named)


def _class(module: str, name: str) -> type:
    try:
        found = import_module(module)
    except (ImportError, TypeError, ValueError):  # TypeError: a name that begins with a dot
        raise UnknownNameError("module", module, _siblings(module)) from None
    kind = getattr(found, name, None)
    if not isinstance(kind, type):
        raise UnknownNameError("classifier", name, _classifiers(module), of=module)
    return kind


def _siblings(module: str) -> list[str]:
    """Return the modules that a misspelt one may have meant."""
    package = module.split(".")[0]
    try:
        paths = import_module(package).__path__
    except (ImportError, ValueError, AttributeError):
        return []
    return [f"{package}.{m.name}" for m in pkgutil.iter_modules(paths) if m.name[0] != "_"]


def _classifiers(module: str) -> list[str]:
    from sklearn.base import BaseEstimator

    kinds = {n: k for n, k in vars(import_module(module)).items() if isinstance(k, type)}
    return [n for n, k in kinds.items() if issubclass(k, BaseEstimator) and hasattr(k, "predict")]
