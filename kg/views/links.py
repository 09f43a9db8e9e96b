"""Decide which addresses may become links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit


def paper_links(data: Mapping[str, Any]) -> list[list[str]]:
    """Return [address or "", shown text, kind] of the places where a paper can be read."""
    links = []
    if data.get("url"):
        links.append([web_address(data["url"]), data["url"], "paper"])
    if data.get("doi"):
        links.append([web_address(f"https://doi.org/{data['doi']}"), data["doi"], "doi"])
    if data.get("arxiv_id"):
        links.append([web_address(f"https://arxiv.org/abs/{data['arxiv_id']}"), data["arxiv_id"], "arxiv"])
    return links


def web_address(url: str) -> str:
    """Return an address that may become a link, or "": http and https with a host, no control characters.

    >>> web_address("https://example.org/a"), web_address("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    if any(character.isspace() or ord(character) < 32 for character in url):
        return ""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.hostname else ""
