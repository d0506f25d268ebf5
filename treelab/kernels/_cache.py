"""Where the machine code of kernels is kept between processes; trouble with it is never an error.

Numba numbers its files of code as they come and writes the index first. Two processes that compile
a kernel for two kinds of arrays at the same moment can so leave an index that names the code of the
other kind, and every later process fails. Here a file is named after what it is the code of, and
is written before the index that names it. What it is the code of are all the functions that it
calls, in whatever file: numba looks at the file of the first only. No two processes give two
functions the same name. Nothing is loaded that others could have written.
"""

import pickle
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

from treelab.kernels._fingerprint import made_of
from treelab.kernels._ownership import is_own_folder, opened_own, report_others
from treelab.kernels._unique_ids import is_counted

NUMBERED = "at random"
"""In every key: code of earlier versions, which was numbered as it came, is not loaded."""


PARTS = "_data_name _data_path _index_path _save_data _save_index _source_stamp _version"
"""Parts of numba's files that are used below, where trouble with a file is never an error."""


class CodeFiles(IndexDataCacheFile):
    """An index and the files that it names."""

    def save(self, key: Any, data: Any) -> None:
        name = self._data_name(_number((key, self._source_stamp, self._version)))
        outdated = self._outdated()
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})
        for each in outdated:
            Path(self._data_path(each)).unlink(missing_ok=True)

    def _outdated(self) -> list[str]:
        """Return the files of code that were made before the source was changed."""
        with suppress(Exception), opened_own(self._index_path) as index:
            pickle.load(index)  # noqa: S301  (the version)
            stamp, names = pickle.load(index)  # noqa: S301
            return [] if stamp == self._source_stamp else [*names.values()]
        return []

    def _load_index(self) -> Any:
        try:
            with opened_own(self._index_path) as index:
                if pickle.load(index) != self._version:  # noqa: S301
                    return {}
                stamp, names = pickle.load(index)  # noqa: S301
            return names if stamp == self._source_stamp else {}
        except Exception:  # whatever a damaged file may raise; it will be written anew
            return {}

    def _load_data(self, name: str) -> Any:
        with opened_own(self._data_path(name)) as code:
            return pickle.load(code)  # noqa: S301


class CodeCache(FunctionCache):
    """The code of one function; what cannot be read or written is compiled again."""

    def __init__(self, compiled: Any, function: Callable[..., object]) -> None:
        super().__init__(function)
        self._compiled = compiled
        if not is_own_folder(self._cache_path):
            report_others(self._cache_path)
            raise RuntimeError("others can write to it")
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = CodeFiles(self._cache_path, self._impl.filename_base, stamp)
        for part in PARTS.split():
            getattr(self._cache_file, part)
        super()._index_key  # noqa: B018  (an AttributeError where it is not)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # as above
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(Exception):  # a full disk; what numba takes in and nobody can describe
            if not is_counted(data.library):
                super().save_overload(sig, data)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), made_of(self._compiled), NUMBERED)


def _number(key: object) -> int:
    """Return a number for whatever has a text of its own, the same in every process."""
    return int.from_bytes(blake2b(repr(key).encode(), digest_size=8).digest(), "little")
