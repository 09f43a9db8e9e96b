"""What LaTeX commands stand for in running text. Tables only; the rules are in `extractors.markup`."""

from __future__ import annotations

from typing import Final


def words(table: str) -> tuple[str, ...]:
    """Split a table of words into its words."""
    return tuple(table.split())


#: Commands that only change how their argument looks: the argument stays, the command goes.
LOOKS: Final = frozenset(
    words(
        """text textbf textit textsl textsc texttt textrm textsf textmd textup textnormal textsuperscript
        textsubscript emph underline uline ul mbox hbox fbox ensuremath operatorname url path nolinkurl
        enquote footnote hyperlink mathbf mathbb mathcal mathrm mathsf mathit mathtt mathfrak mathscr
        mathbbm mathds mathnormal bm boldsymbol boldmath pmb bf it em rm sf sc sl tt cal bfseries itshape
        ttfamily scshape normalfont small large tiny displaystyle textstyle scriptstyle left right middle
        big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr limits nolimits noindent centering protect xspace
        phantom overline underbrace overbrace SI si num mathop mathord"""
    )
)

#: Looks that are also seen glued to the word they dress, their braces lost on the way (`\emphnonnegative`).
GLUED: Final = tuple(
    sorted(
        words(
            """emph textbf textit textsc texttt textrm textsf underline mathcal mathbb mathbf mathrm mathsf
            mathit mathfrak mathscr boldsymbol bm cal bf"""
        ),
        key=len,
        reverse=True,
    )
)

#: Commands that go with their argument.
CITES: Final = words(
    """cite citep citet citealp citealt citeauthor citeyear parencite textcite label vspace hspace ref eqref
    cref"""
)

ACCENTS: Final = {
    "'": "\u0301",
    "`": "\u0300",
    '"': "\u0308",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "hat": "\u0302",
    "widehat": "\u0302",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "Tilde": "\u0303",
    "bar": "\u0304",
    "vec": "\u20d7",
    "dot": "\u0307",
    "ddot": "\u0308",
    "check": "\u030c",
    "breve": "\u0306",
    "c": "\u0327",
    "v": "\u030c",
    "u": "\u0306",
    "H": "\u030b",
    "k": "\u0328",
    "r": "\u030a",
}

#: Variants of one letter (epsilon, varepsilon) become one letter, so that a name has one spelling.
_GREEK = dict(
    zip(
        words(
            """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi
        varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi
        Sigma Upsilon Phi Psi Omega"""
        ),
        "αβγδεεζηθθικλμνξππρρσστυφφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        strict=True,
    )
)

_SIGNS = dict(
    pair.split(":", 1)
    for pair in words(
        """times:× cdot:· ast:* star:⋆ circ:∘ bullet:• pm:± mp:∓ div:÷ le:≤ leq:≤ leqslant:≤ ge:≥ geq:≥
        geqslant:≥ ll:≪ gg:≫ lesssim:≲ gtrsim:≳ neq:≠ ne:≠ approx:≈ sim:∼ simeq:≃ cong:≅ equiv:≡ propto:∝
        in:∈ notin:∉ ni:∋ subset:⊂ subseteq:⊆ supset:⊃ supseteq:⊇ cup:∪ cap:∩ setminus:∖ emptyset:∅
        varnothing:∅ to:→ rightarrow:→ Rightarrow:⇒ leftarrow:← Leftarrow:⇐ leftrightarrow:↔ mapsto:↦
        longrightarrow:⟶ implies:⟹ iff:⟺ uparrow:↑ downarrow:↓ infty:∞ partial:∂ nabla:∇ sum:∑ prod:∏ int:∫
        sqrt:√ forall:∀ exists:∃ neg:¬ land:∧ wedge:∧ lor:∨ vee:∨ oplus:⊕ otimes:⊗ odot:⊙ perp:⊥ parallel:∥
        mid:| vert:| lvert:| rvert:| Vert:‖ lVert:‖ rVert:‖ langle:⟨ rangle:⟩ lceil:⌈ rceil:⌉ lfloor:⌊
        rfloor:⌋ ell:ℓ hbar:ℏ Re:ℜ Im:ℑ prime:′ dagger:† ddagger:‡ top:⊤ bot:⊥ succ:≻ prec:≺ succeq:⪰
        preceq:⪯ preccurlyeq:≼ lbrace:{ rbrace:} dots:... ldots:... cdots:... textellipsis:... checkmark:✓
        degree:° pounds:£ euro:€ copyright:© textregistered:® texttrademark:™ textquotesingle:' ss:ß o:ø
        ae:æ AE:Æ oe:œ OE:Œ aa:å AA:Å l:ł i:ı textbackslash:\\ textasciitilde:~ textendash:–
        textemdash:— textless:< textgreater:> textbar:| texttimes:× textpm:± lbrack:[ rbrack:] backslash:\\
        over:/ Pr:Pr eps:ε"""
    )
)

#: Commands that are one sign. Those that are not here lose only their backslash (`\log`).
SIGNS: Final = {**_GREEK, **_SIGNS}

#: Commands that are only room between words.
ROOM: Final = frozenset(words("quad qquad par newline linebreak item hfill break space smallskip medskip bigskip"))
