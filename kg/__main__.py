"""Run the command line as ``python -m kg``."""

from kg.cli import main

main()
