"""The rule reader's entities: candidate phrases, described by features, kept and typed by counted weights.

The features are the rules: heads ("... learning", "... benchmark"), cues around a phrase ("we propose", "evaluated
on", "such as"), shape (capitals, digits), acronyms, the title, and the gazetteer. What each is worth was counted in
annotated papers (``extractors/training/rules.py``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from extractors.gazetteer import is_versioned_model, load_gazetteer
from extractors.phrases import Phrase, find_phrases
from extractors.reading import Page
from extractors.scene import cues_of
from extractors.words import Word, fold, split_words


@dataclass(frozen=True, slots=True)
class Candidate:
    """A surface that may name something, with all places where it stands."""

    form: str
    phrases: tuple[Phrase, ...]
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What all candidates of one text share."""

    text: str
    words: list[list[Word]]
    cues: tuple[tuple[str, ...], ...]
    short_forms: Mapping[str, str]
    long_forms: frozenset[str]
    title: bool
    gazetteer: Mapping[str, str]


def find_candidates(page: Page, *, with_gazetteer: bool = True) -> list[Candidate]:
    """Return every surface of a text that may name something, in order of first mention."""
    setting = _describe(page, with_gazetteer=with_gazetteer)
    groups: dict[str, list[Phrase]] = defaultdict(list)
    for phrase in find_phrases(setting.words):
        groups[fold(setting.text[phrase.start : phrase.end])].append(phrase)
    groups.pop("", None)
    return [
        Candidate(form, tuple(group), tuple(dict.fromkeys(_features(form, group, setting))))
        for form, group in groups.items()
    ]


def _describe(page: Page, *, with_gazetteer: bool) -> Setting:
    text = page.clean.text
    sentences = [text[start:end] for start, end in page.sentences]
    pairs = [(text[slice(*item.short)], text[slice(*item.long)]) for item in page.acronyms]
    return Setting(
        text=text,
        words=[split_words(text, span) for span in page.sentences],
        cues=tuple(map(cues_of, sentences)),
        short_forms={fold(short): fold(long) for short, long in pairs},
        long_forms=frozenset(fold(long) for _, long in pairs),
        title=page.title_end > 0,
        gazetteer=load_gazetteer() if with_gazetteer else {},
    )


def _features(form: str, phrases: list[Phrase], setting: Setting) -> Iterator[str]:
    yield from _inside(phrases[0], setting)
    yield from _standing(form, phrases, setting)
    for phrase in phrases[:6]:
        yield from _around(phrase, setting)


def _inside(phrase: Phrase, setting: Setting) -> Iterator[str]:
    """Describe the words of a phrase itself."""
    words = [word.lower for word in setting.words[phrase.sentence][phrase.first : phrase.last]]
    last = _singular(words[-1])
    yield f"n={len(words)}"
    yield f"last={last}"
    yield f"first={words[0]}"
    yield f"end={last[-3:]}"
    yield f"begin={words[0][-3:]}|{len(words) > 1}"
    if len(words) > 1:
        yield f"last2={_singular(words[-2])} {last}"
        yield f"first2={words[0]} {words[1]}"
        yield f"single={words[-1] == last}"
    else:
        yield f"only={last}"
    for word in words[1:-1]:
        yield f"in={word}"
    for part in words[-1].split("-")[1:] if "-" in words[-1] else ():
        yield f"hyphen={part}"


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _standing(form: str, phrases: list[Phrase], setting: Setting) -> Iterator[str]:
    """Describe what the phrase is in the whole text."""
    surface = setting.text[phrases[0].start : phrases[0].end]
    count = min(len(phrases), 4)
    in_title = setting.title and phrases[0].sentence == 0
    yield f"count={count}"
    yield f"title={in_title}|{min(count, 2)}"
    yield f"shape={shape(surface)}"
    yield f"shape={shape(surface)}|{in_title}|{min(count, 2)}"
    if form in setting.gazetteer:
        yield f"known={setting.gazetteer[form]}"
    if is_versioned_model(surface):
        yield "versioned"
    if form in setting.short_forms:
        yield "acronym"
        yield f"acronym={_singular(setting.short_forms[form].split(' ')[-1])}"
        yield f"acronym-first={setting.short_forms[form].split(' ')[0]}"
    if form in setting.long_forms:
        yield "long"


def shape(surface: str) -> str:
    """Return a coarse shape: where capitals, digits and hyphens are, for at most three words.

    >>> shape("GPT-4o"), shape("graph networks"), shape("Graph Networks")
    ('AA-0', 'a a', 'Aa Aa')
    """
    return " ".join(_word_shape(word) for word in surface.split()[:3])


def _word_shape(word: str) -> str:
    if word.islower() and word.isalpha():
        return "a"
    if word[0].isupper() and word[1:].islower() and word.isalpha():
        return "Aa"
    upper = "AA" if sum(map(str.isupper, word)) > 1 else "A" if any(map(str.isupper, word)) else "a"
    return upper + ("-" if "-" in word else "") + ("0" if any(map(str.isdigit, word)) else "")


def _around(phrase: Phrase, setting: Setting) -> Iterator[str]:
    """Describe the words around one mention and the kind of its sentence."""
    words = setting.words[phrase.sentence]
    before = [_token(words, phrase.first - offset) for offset in (1, 2, 3)]
    after = [_token(words, phrase.last + offset) for offset in (0, 1)]
    last = _singular(words[phrase.last - 1].lower)
    yield f"before={before[0]}"
    yield f"before2={before[1]} {before[0]}"
    yield f"before3={before[2]} {before[1]} {before[0]}"
    yield f"after={after[0]}"
    yield f"after2={after[0]} {after[1]}"
    yield f"between={before[0]} _ {after[0]}"
    yield f"after={after[0]}|{last}"
    where = "title" if setting.title and phrase.sentence == 0 else "text"
    yield f"edge={where}|{before[0] == '^'}|{after[0] == '$'}|{after[0] == ':'}"
    for cue in setting.cues[phrase.sentence]:
        yield f"cue={cue}"
        yield f"cue={cue}|{last}"
        yield f"cue={cue}|{_word_shape(words[phrase.last - 1].text)}"


def _token(words: list[Word], position: int) -> str:
    if position < 0:
        return "^"
    if position >= len(words):
        return "$"
    word = words[position].lower
    return "0" if word.isdigit() else word
