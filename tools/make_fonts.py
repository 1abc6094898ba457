"""Make the Chinese font of the sheets: a subset of Noto Sans SC, with GB 2312 and what our own texts use.

    python tools/make_fonts.py [NotoSansCJK-Regular.ttc]

The common traditional characters and some of names are in it too. Writes the font, and ``coverage.txt`` beside it: the
characters that it or a font within Typst can print, so that nothing has to read fonts to tell.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import typst
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

from question_bank.math.symbols import SYMBOLS

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "quizapp" / "sheets" / "fonts"
SYSTEM = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
FACE = "Noto Sans CJK SC"
FAMILY = "Quizapp Sans SC"
"""The subset has a name of its own: it must neither hide a Noto font of the person's nor be hidden by it."""

WITHIN_TYPST = ("Libertinus Serif Regular", "NewComputerModern10-Regular", "NewComputerModernMath-Regular", "DejaVu Sans Mono")
"""Fonts within Typst that a name or a title falls back to, in ``layout.typ``."""

EXTRA = "ᵀ√×·÷±−∞≤≥≠≈→←↑↓⇒∑∏∫∂∇∈∉⊂∪∩⌈⌉⌊⌋…—–‘’“”「」『』《》〈〉【】〔〕、。，；：？！（）％＋－＝～·•◦○●□■△▲☆★✓✗〇"


def gb2312() -> Iterator[str]:
    """Yield every character of GB 2312: 6,763 Chinese ones, letters, signs."""
    for row in range(0xA1, 0xF8):
        for column in range(0xA1, 0xFF):
            try:
                yield bytes((row, column)).decode("gb2312")
            except UnicodeDecodeError:
                continue


def big5() -> Iterator[str]:
    """Yield the 5,401 common characters of Big5: the traditional ones, for names."""
    for row in range(0xA4, 0xC7):
        for column in (*range(0x40, 0x7F), *range(0xA1, 0xFF)):
            try:
                yield bytes((row, column)).decode("big5")
            except UnicodeDecodeError:
                continue


NAMES = (
    "喆玥昇堃翀珺玗珏淼垚犇羴鱻骉晟昕晞旻旸暄玙琰瑄璟祎祺禛笙筠翊翎翯芃芊芮苡菡萱葳蓁蕊藜蘅衎诃赟霏骁骞鸾珩玹玎珈琎婳嫄嬿"
    "彧惇慜懿斓昱昫晗晳暐曈杪栩楹槿樾毓沁泠沅沄洺浠涓淞渲湉溦滢漪潇澍澔灏炀炘烜焓焱煊熠燊爔琛瑀瑗瑢瑭璆璇璨璩瓒甯皓皙祐禔"
    "㛃㼆䶮镕镠锳钰铠铮钧锴韡頔颢飏馼骕鹮麒彣彬仝仡伋伃佶侃俣俶倓倬偲傒僮儇冏冕劭勍勔卮厍昉昪昽晅晔晙晢晪晷暠暻曦朏"
)
"""Characters of given names that GB 2312 lacks, or that one misses first."""


def own_texts() -> Iterator[str]:
    """Yield the characters that the product's own texts use."""
    for folder in ("question_bank", "quizapp", "solvers"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml", ".typ"):
                yield from path.read_text("utf-8")


def wanted() -> set[int]:
    """Return the characters that the subset is to have, as far as the font has them."""
    signs = (symbol.unicode for symbol in SYMBOLS.values())
    latin = map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x1F00)))
    return {
        ord(character)
        for part in (gb2312(), big5(), NAMES, own_texts(), signs, latin, EXTRA)
        for text in part
        for character in text
    }


def ranges(characters: Iterable[int]) -> Iterator[str]:
    """Write code points as ranges in hexadecimal."""
    first = last = -2
    for point in sorted(characters):
        if point != last + 1:
            if first >= 0:
                yield f"{first:X}-{last:X}"
            first = point
        last = point
    yield f"{first:X}-{last:X}"


def within_typst() -> set[int]:
    """Return the characters of the fonts that Typst brings along, in its compiled module, of those that sheets use."""
    [module] = Path(typst.__file__).parent.glob("_typst*")
    data = module.read_bytes()
    starts = (
        found.start() for found in re.finditer(rb"OTTO\x00[\x05-\x20]|\x00\x01\x00\x00\x00[\x08-\x20]\x01\x00\x00\x04", data)
    )
    fonts = [TTFont(io.BytesIO(data[start:]), lazy=True) for start in starts]
    covered = {font["name"].getDebugName(4): set(font.getBestCmap()) for font in fonts}
    return set.union(*(covered[name] for name in WITHIN_TYPST))


def main() -> None:
    """Make the subset."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else SYSTEM
    font = next(each for each in TTCollection(source, lazy=True).fonts if each["name"].getDebugName(1) == FACE)
    options = Options(
        layout_features=["kern", "mark"], hinting=False, desubroutinize=False,
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14], notdef_outline=True, drop_tables=["BASE", "DSIG", "VORG", "vhea", "vmtx"],
    )  # fmt: skip
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=wanted())
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4, 16):
            record.string = FAMILY
        elif record.nameID in (3, 6):
            record.string = FAMILY.replace(" ", "") + "-Regular"
    FOLDER.mkdir(exist_ok=True)
    target = FOLDER / "QuizappSansSC-Regular.otf"
    font.save(target)
    covered = TTFont(target).getBestCmap()
    (FOLDER / "coverage.txt").write_text("\n".join(ranges(covered.keys() | within_typst())) + "\n", "ascii")
    print(f"{target.name}: {len(covered):,} characters, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
