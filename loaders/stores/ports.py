"""Ports of this machine."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
