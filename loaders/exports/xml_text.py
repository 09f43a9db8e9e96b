"""Text in XML 1.0: what it cannot hold is replaced, what a parser would change is written as a reference."""

from __future__ import annotations

import re
from typing import Final

# XML 1.0 has no way to write these, not even as references.
_IMPOSSIBLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REFERENCES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
)


def xml_text(text: str) -> str:
    r"""Return text that may stand between tags or in double quotes and is read back as it was.

    Control characters and lone surrogates become U+FFFD.

    >>> xml_text('a<b> & "c"\n\x00')
    'a&lt;b&gt; &amp; &quot;c&quot;&#10;\ufffd'
    """
    return _IMPOSSIBLE.sub("\ufffd", text).translate(_REFERENCES)
