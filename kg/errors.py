"""Errors that a user can act on. Each message says what was seen, what was expected and what to do."""


class KgError(Exception):
    """Base of all errors that the command line shows as one line, with exit code 2."""


class InputError(KgError):
    """A file that cannot be read: missing, a directory, empty, binary, of a wrong encoding or without papers."""


class FaultyRecords(InputError):
    """Records that could not be used, where the user asked for none such (``strict``): exit code 1."""


class GraphNotFound(KgError):
    """No graph of that name in the graphs folder."""


class EntityNotFound(KgError):
    """No node of that name in the graph."""


class GraphBusy(KgError):
    """Another process is building the same graph."""


class QueryError(KgError):
    """A Cypher query that is refused, wrong or ran past its time limit."""


class StoreError(KgError):
    """A Cypher store that cannot be opened, reached or written."""


class MissingExtra(KgError):
    """An optional dependency that is needed for what was asked and is not installed."""


class UsageError(KgError):
    """Options or names that do not fit together."""
