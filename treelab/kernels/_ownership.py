"""Whose a folder is: machine code is loaded only from where nobody else could have put it.

To load kept code is to run it. A folder is one's own if it belongs to the user or to root, nobody
else may write to it, and the same holds for all folders above it; whoever may write to one of these
could put another in its place, unless it has the sticky bit, as /tmp has.
"""

import os
import stat
import warnings
from functools import lru_cache
from io import BufferedReader
from pathlib import Path

_reported: list[str] = []


@lru_cache(maxsize=256)
def is_own_folder(path: str) -> bool:
    """Tell whether nobody but the user and root can put a file into a folder, links followed."""
    if not hasattr(os, "geteuid"):  # Windows has other rules, and folders of users are theirs
        return True
    try:
        real = Path(path).resolve()
        inner, *above = [folder.stat() for folder in (real, *real.parents)]
    except OSError:
        return False
    return _is_own(inner) and all(_is_own(each) or _is_shared(each) for each in above)


def opened_own(path: str) -> BufferedReader:
    """Open a file of code that nobody else could have written; raise `OSError` otherwise."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    if hasattr(os, "geteuid") and not _is_own(os.fstat(file.fileno())):
        file.close()
        report_others(path)
        raise PermissionError(path)
    return file


def report_others(path: str) -> None:
    """Warn, once in a process, that code is not loaded from a place."""
    if not _reported:
        _reported.append(path)
        warnings.warn(
            f"others can write to {path}: machine code is not loaded from there, and kernels are "
            "compiled again in every process; NUMBA_CACHE_DIR names a folder of your own",
            RuntimeWarning,
            stacklevel=2,
        )


def _is_own(found: os.stat_result) -> bool:
    mode = found.st_mode
    if found.st_uid not in (0, os.geteuid()) or mode & stat.S_IWOTH:
        return False
    return not mode & stat.S_IWGRP or _is_group_of_one(found.st_gid)


def _is_shared(found: os.stat_result) -> bool:
    """Tell whether all may write to a folder, but none may touch what is another's."""
    return bool(found.st_mode & stat.S_ISVTX) and found.st_uid in (0, os.geteuid())


@lru_cache(maxsize=16)
def _is_group_of_one(number: int) -> bool:
    """Tell whether a group is root's, or the user's own, as many systems give every user one."""
    import grp
    import pwd

    if number == 0:
        return True
    try:
        group, user = grp.getgrgid(number), pwd.getpwuid(os.geteuid())
    except KeyError:
        return False
    return user.pw_gid == number and not {*group.gr_mem} - {user.pw_name}
