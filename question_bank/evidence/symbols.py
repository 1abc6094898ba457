"""The names of formulas, and how products and orders of growth are put in one form. ``formulas`` reads them."""

from __future__ import annotations

NAMES = dict.fromkeys(("dk", "dkey", "dhead", "headdim", "dimk", "dh", "dq", "dqk", "headsize", "keydim"), "dk")
NAMES |= dict.fromkeys(
    ("dmodel", "dimmodel", "dmod", "modeldim", "hiddensize", "dembed", "demb", "embeddim", "nembd"), "dmodel"
)
NAMES |= {"dff": "dff", "dffn": "dff", "dv": "dv", "dvalue": "dv", "dimv": "dv", "wout": "wo"}
MATRICES = {f"w{letter}": f"w{letter}" for letter in "qkvo"}
NAMES |= MATRICES
SUBS = frozenset(("k", "v", "q", "model", "ff", "head"))  # what "d" takes as an index behind a blank
SPLIT = {"qikj": "qi*kj", "qik": "qi*k"}
LENGTHS = frozenset("nlts")
ATOMS = frozenset(
    (
        *NAMES.values(),
        "qk",
        "inf",
        "seqlen",
        "qi",
        "kj",
        "qj",
        "ki",
        "vj",
        "xi",
        "xj",
        "oi",
        "sij",
        "sji",
        "aij",
        "aji",
        "ij",
        "ji",
    )
)
HALVES = frozenset(("0.5", ".5", "1/2"))
MINUS_HALVES = frozenset(("-0.5", "-.5", "-1/2"))
TRANSPOSING = frozenset(("transpose", "transposed", "trans"))
SIZES = frozenset(("dim", "dims", "dimension", "dimensions", "dimensionality", "width", "size"))
OWNERS = {"head": "dk", "key": "dk", "keys": "dk", "query": "dk", "heads": "dk", "model": "dmodel", "embedding": "dmodel",
           "hidden": "dmodel"}  # fmt: skip
ROOTS = ("开平方根", "开根号", "的平方根", "平方根", "的根号", "开平方", "开方", "的开方")


OPENERS = frozenset(
    (
        *NAMES,
        *SPLIT,
        *ATOMS,
        "exp",
        "sqrt",
        "root",
        "square",
        "math",
        "torch",
        "negative",
        "minus",
        "neg",
        "one",
        "theta",
        "qkt",
        "xxt",
    )
)
"""Words of two letters and more that may begin a formula with no sign behind them."""
OPENING_CJK = "负根"


def length_folded(name: str) -> str:
    """A name inside O( ): the letters that lengths have are s, and a digit behind a letter is a power."""
    if name in ("seqlen", "len", "length", "seq"):
        return "s"
    letters = "".join("s" if letter in LENGTHS else letter for letter in name)
    if name in NAMES:
        return NAMES[name]
    if len(letters) == 2 and letters[1].isdigit():
        return f"{letters[0]}^{letters[1]}"
    if name.startswith("log"):
        return f"log{length_folded(name[3:])}" if len(name) == 4 else name
    return letters if len(name) <= 2 and name not in ATOMS else name


def scientific(number: str) -> str:
    """Put a number with an exponent in its one form: 7.0e-04 is ``7e-4``."""
    mantissa, _, exponent = number.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{'-' * exponent.startswith('-')}{exponent.lstrip('+-0') or '0'}"


def multiplied(factors: list[str]) -> str:
    """Put a product in its one form: ``qkt``, ``qi*kj``, ``4d^2``, ``s^2*d``."""
    if len(factors) == 1:
        return factors[0]
    match factors:
        case ["q", "kt"] | ["x", "xt"]:
            return "".join(factors)
        case [query, key] if (
            query[0] == "q" and key[0] == "k" and (query.endswith("t") or (key.endswith("t") and len(key) > 2))
        ):
            return f"{query.removesuffix('t')}*{key.removesuffix('t')}"
    if len(factors) == 2 and factors[1].startswith("1e") and factors[0].replace(".", "", 1).isdigit():
        return scientific(f"{factors[0]}e{factors[1][2:]}")
    number = ""
    if factors[0][0].isdigit() and not factors[1][0].isdigit() and "^" not in factors[0]:
        number, *factors = factors
    factors = ["s" if factor in LENGTHS else factor for factor in factors]
    joined: list[str] = []
    for factor in factors:
        if joined and joined[-1] == factor and "^" not in factor:
            joined[-1] = f"{factor}^2"
        else:
            joined.append(factor)
    return number + "*".join(joined)


def ordered(factors: list[str]) -> str:
    """The inside of O( ): powers of equal letters joined, the length first."""
    terms: list[str] = []
    powers: dict[str, int] = {}

    def close() -> None:
        names = sorted(powers, key=lambda name: (name != "s", name))
        terms.append("".join(name if powers[name] == 1 else f"{name}^{powers[name]}" for name in names))
        powers.clear()

    for factor in factors:
        if factor in ("/", "+"):
            close()
            terms.append(factor)
            continue
        pieces = list(factor) if len(factor) == 2 and factor.isalpha() and factor not in ("dk", "dv") else [factor]
        for piece in pieces:
            name, _, exponent = piece.partition("^")
            if exponent and not (exponent.isdigit() and len(exponent) < 3):
                name, exponent = piece, ""
            powers[name] = powers.get(name, 0) + int(exponent or 1)
    close()
    return "".join(terms)
