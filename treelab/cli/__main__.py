"""`python -m treelab.cli`: the command line."""

from treelab.cli import main

if __name__ == "__main__":
    main()
