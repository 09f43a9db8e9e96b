"""The ``kg`` command. Each command parses here and works in a plain function elsewhere."""

from __future__ import annotations

import os
import sys

import click

from kg import __version__
from kg.cli import ask, assess, build, exchange, picture, quality
from kg.errors import KgError

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells expect it."""


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, prog_name="kg")
def cli() -> None:
    """Build, query, draw and rank a knowledge graph of research papers."""


for module in (build, ask, picture, exchange, assess, quality):
    for command in module.COMMANDS:
        cli.add_command(command)


def main() -> None:
    """Run the command line; a known error is one line on stderr and exit code 2."""
    try:
        status = cli.main(prog_name="kg", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except KgError as error:
        click.echo(f"kg: {error}", err=True)
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("kg: stopped; what was built before is untouched", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output went away (`kg query ... | head`): nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        click.echo(f"kg: {error.filename or 'output'}: {error.strerror or error}", err=True)
        sys.exit(2)
    sys.exit(status if isinstance(status, int) else 0)
