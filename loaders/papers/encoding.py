"""Tell in what encoding a file is written."""

from __future__ import annotations

import codecs
import re
from typing import Final

from kg.errors import InputError

FALLBACK: Final = "cp1252"

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Encodings in which text is mostly bytes above 127, which is what tells them from Western ones.
_DENSE: Final = [
    "gb18030",
    "big5",
    "shift_jis",
    "euc_jp",
    "euc_kr",
    "cp1251",
    "koi8_r",
    "cp1253",
    "cp1255",
    "cp1256",
]
#: Characters that hardly any Chinese sentence does without.
_EVERYDAY: Final = "的一是在和与了为中对"
#: Western text has fewer letters with accents than this share.
_MAX_WESTERN: Final = 0.25
#: Signs within words are letters of Central Europe (ą, ł, ż) read as Western ones.
_CENTRAL: Final = re.compile(r"[^\W\d_][³¹¿£¥¯¼¾][^\W\d_]|\b[³¿£¯][^\W\d_]")
_NAMES: Final = {
    "utf-8": "",
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "gb18030": "GBK",
}
_CONTROL: Final = re.compile(rb"[\x01-\x06\x0e-\x19\x1c-\x1f\x7f]")
_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]+")


def shown(encoding: str) -> str:
    """Name an encoding as people do; "" for UTF-8, which needs no word."""
    return _NAMES.get(encoding, encoding.replace("-le", "").replace("-be", "").upper())


def detect_encoding(head: bytes, name: str) -> str:
    """Return the Python name of the encoding that the first bytes of a file are in.

    Raises:
        InputError: when they are no text, or text in no encoding that can be told.
    """
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding
    if wide := _wide(head):
        return wide
    if b"\x00" in head or len(_CONTROL.findall(head)) > len(head) // 100:
        raise InputError(f"{name} is a binary file; expected text, JSON, Parquet or a reference manager's export")
    if _is_utf8(head):
        return "utf-8"
    return _legacy(head, name)


def without_mark(head: bytes) -> bytes:
    """Cut a byte order mark off."""
    for mark, _ in _BOMS:
        if head.startswith(mark):
            return head[len(mark) :]
    return head


def _wide(head: bytes) -> str:
    """Recognise UTF-16 without a mark: every other byte of Western text is then zero."""
    even, odd = head[0:4000:2], head[1:4000:2]
    if len(head) < 8 or b"\x00" not in head[:4000]:
        return ""
    if odd.count(0) > 0.8 * len(odd) and not even.count(0):
        return "utf-16-le"
    return "utf-16-be" if even.count(0) > 0.8 * len(even) and not odd.count(0) else ""


def _is_utf8(head: bytes) -> bool:
    """Accept a head that is UTF-8 but for stray bytes; text in another encoding is hardly ever right by chance."""
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(head)
    wrong, beyond = text.count("\ufffd"), sum(1 for character in text if character > "\x7f")
    return wrong == 0 or wrong * 2 <= beyond


def _legacy(head: bytes, name: str) -> str:
    runs = _HIGH_RUN.findall(head)
    in_runs = sum(len(run) for run in runs if len(run) >= 4)
    high = sum(map(len, runs))
    if in_runs * 2 < high < _MAX_WESTERN * len(head) and _decodes(head, FALLBACK):
        return "cp1250" if len(_CENTRAL.findall(head.decode(FALLBACK))) > 1 else FALLBACK
    found = _dense(b"\n".join(line for line in head.splitlines() if _HIGH_RUN.search(line))) if in_runs else ""
    if not found:
        raise InputError(f"{name} is neither UTF-8 nor in an encoding that can be told; save it as UTF-8")
    return found


def _dense(sample: bytes) -> str:
    chinese = _chinese(sample)
    if chinese and any(character in chinese for character in _EVERYDAY):
        return "gb18030"
    from charset_normalizer import from_bytes

    best = from_bytes(sample[: 1 << 15], cp_isolation=_DENSE, threshold=0.2).best()
    return best.encoding if best else "gb18030" if chinese else ""


def _chinese(sample: bytes) -> str:
    """Return a sample as GBK if nearly all of it is common Chinese (GB 2312, first level), else "".

    Korean in EUC-KR uses the same bytes; it is told by the everyday characters that it lacks.
    """
    try:
        text = sample.decode("gb18030")
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 4:
            return ""
        text = sample[: error.start].decode("gb18030")
    wide = [character for character in text if character > "\x7f"]
    common = sum(1 for character in wide if _is_common(character))
    return text if wide and common > 0.85 * len(wide) else ""


def _is_common(character: str) -> bool:
    code = character.encode("gb18030")
    return len(code) == 2 and code[1] >= 0xA1 and (0xB0 <= code[0] <= 0xD7 or 0xA1 <= code[0] <= 0xA3)


def _decodes(head: bytes, encoding: str) -> bool:
    try:
        head.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
