"""`treelab warmup`: compile now what the first calls would compile."""

from treelab.cli.output import AsJson, say, say_json


def warmup(json: AsJson = False) -> None:
    """Compile the kernels now, so that no later call has to wait for them."""
    from treelab.kernels._watch import code_place
    from treelab.kernels.argbest import first_best
    from treelab.warming import warmup as warmed

    seconds, place = warmed(), code_place(first_best)
    if json:
        say_json({"seconds": seconds, "cache": None if place is None else str(place)})
        return
    kept = "cannot be kept on this disk" if place is None else f"are kept in {place}"
    say(f"kernels ready after {seconds:.1f} s; they {kept}")
