"""`python -m treelab`: the command line."""

from treelab.cli import main

if __name__ == "__main__":
    main()
