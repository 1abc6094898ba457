"""Keys of a person's own: what each binding is called, and whether a wish can be granted without taking another key away.

Textual gives a binding another key by its id. It drops whatever else was on the old key and on the new one; so bindings that
share the old key are named to it too, with their own keys, and a new key that is taken is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import Keys, key_to_character

from question_bank.text import Text
from quizapp import screens, widgets
from quizapp.widgets.bilingual import Words, twins

UNKNOWN = Text("There is no binding “{name}”.", "没有名为“{name}”的按键功能。")
NEAREST = Text("Did you mean {name}?", "是不是想用 {name}？")
NO_KEY = Text(
    "“{key}” for {name} is no key; keys are called f2, ctrl+s, slash, x.",
    "{name} 的“{key}”不是按键，写法如 f2、ctrl+s、slash、x。",
)
TAKEN = Text(
    "{key} can't be the key of {name}: it is that of {other}.", "{key} 不能用作 {name} 的按键：它已是 {other} 的按键。"
)
IN_FIELDS = Text(
    "{name} works inside fields too, so its key can't be one that types: {key}.",
    "{name} 在输入框里也有效，不能用能打字的键：{key}。",
)
FIXED = ("quit", "leave")
"""Bindings of the application that stay where they are, by their ids: a person must always be able to leave."""
KEPT = Text("The key stays as shipped.", "这个按键保持默认。")


@dataclass(frozen=True, slots=True)
class Checked:
    """The keys that can be granted, as Textual wants them, and what is wrong with the others."""

    keymap: dict[str, str]
    problems: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A binding that a person can give another key.

    Attributes:
        name: What it is called.
        keys: Its keys, twins left out.
        label: What the footer says.
        tip: What it does.
    """

    name: str
    keys: tuple[str, ...]
    label: Text
    tip: Text


def classes() -> Iterator[type[DOMNode]]:
    """Yield everything of ours that has keys; every screen is imported for it."""
    for package in (screens, widgets):
        for module in iter_modules(package.__path__):
            import_module(f"{package.__name__}.{module.name}")
    from quizapp.app import QuizApp

    waiting: list[type[DOMNode]] = [DOMNode]
    seen: set[type[DOMNode]] = set()
    while waiting:
        found = waiting.pop()
        if found in seen:
            continue
        seen.add(found)
        waiting += found.__subclasses__()
    yield QuizApp
    ours = (each for each in seen if each.__module__.startswith("quizapp.") and each is not QuizApp)
    yield from sorted(ours, key=lambda each: (each.__module__, each.__name__))


@cache
def _contexts() -> tuple[tuple[Binding, ...], ...]:
    """Return the bindings that can be active together, each with one key: of a screen or a widget, and of the application."""
    app, *others = classes()
    general = [*_own(app), *_own(screens.base.BilingualScreen)]
    return tuple(tuple(dict.fromkeys([*_own(each), *general])) for each in others if _own(each))


def _own(node: type[DOMNode]) -> list[Binding]:
    bindings = node._merged_bindings
    found = bindings.key_to_bindings.values() if bindings is not None else ()
    return [each for several in found for each in several if isinstance(each.description, Words) and each.id is not None]


def short(binding: Binding) -> str:
    """Return what a binding is called in the settings: its id without where the action is found."""
    identity = binding.id or ""
    return f"{identity} (fixed)" if identity in FIXED else _short(identity)


def _short(identity: str) -> str:
    return identity.removeprefix("app.").removeprefix("screen.")


@cache
def named() -> tuple[Named, ...]:
    """Return every binding that can be given another key, by name."""
    found: dict[str, list[Binding]] = {}
    for context in _contexts():
        for binding in context:
            if binding.id not in FIXED:
                found.setdefault(short(binding), []).append(binding)
    return tuple(
        Named(name, _shown(bindings), _words(bindings[0].description), _words(bindings[0].tooltip))
        for name, bindings in sorted(found.items())
    )


def _words(text: str) -> Text:
    return text.text if isinstance(text, Words) else Text(text, text)


def _shown(bindings: Iterable[Binding]) -> tuple[str, ...]:
    """Return keys without their twins: full-width forms, and capitals."""
    keys = (each.key for each in bindings)
    return tuple(
        dict.fromkeys(key for key in keys if (key_to_character(key) or "a").isascii() and not (len(key) == 1 and key.isupper()))
    )


def check(wishes: Sequence[tuple[str, str]]) -> Checked:
    """Look which keys can be granted.

    Args:
        wishes: Names of bindings with the key, or several with commas between, that each shall have.
    """
    every = {each.name: each for each in named()}
    problems: list[Text] = []
    granted: dict[str, tuple[str, ...]] = {}
    for name, wished in wishes:
        fault = _fault(_short(name), wished, every)
        if fault is not None:
            problems.append(fault + KEPT)
        else:
            granted[_short(name)] = _expanded(wished)
    while clash := _clash(granted):
        name, key, other = clash
        problems.append(TAKEN.fill(key=key, name=name, other=other) + KEPT)
        del granted[name]
    return Checked(_for_textual(granted), tuple(problems))


def _expanded(wished: str) -> tuple[str, ...]:
    """Return the keys of a wish with their twins, as Textual names them."""
    forms = ",".join(form for key in wished.split(",") for form in twins(_long(key.strip())))
    return tuple(each.key for each in Binding.make_bindings([Binding(forms, "")]))


def _fault(name: str, wished: str, every: dict[str, Named]) -> Text | None:
    if name not in every:
        near = get_close_matches(name, list(every), n=1)
        return UNKNOWN.fill(name=name[:40]) + (NEAREST.fill(name=near[0]) if near else Text("", ""))
    types = any(binding.priority for context in _contexts() for binding in context if short(binding) == name)
    for key in (_long(each.strip()) for each in wished.split(",")):
        if not _is_key(key):
            return NO_KEY.fill(key=key[:40], name=name)
        if types and key_to_character(key) is not None:
            return IN_FIELDS.fill(name=name, key=key)
    return None


def _long(key: str) -> str:
    return {"?": "question_mark", "/": "slash"}.get(key, key)


def _is_key(key: str) -> bool:
    *modifiers, last = key.split("+")
    if any(each not in ("ctrl", "shift", "alt", "super", "meta") for each in modifiers):
        return False
    names = {each.value for each in Keys}
    return bool(last) and (key in names or last in names or len(last) == 1 or key_to_character(last) is not None)


def _clash(granted: dict[str, tuple[str, ...]]) -> tuple[str, str, str] | None:
    """Find a wish whose key something else has that can be active at the same time."""
    for context in _contexts():
        shipped: dict[str, set[str]] = {}
        for binding in context:
            shipped.setdefault(short(binding), set()).add(binding.key)
        now = {name: set(granted.get(name, keys)) for name, keys in shipped.items()}
        for name in granted:
            for other in now if name in now else ():
                shared = now[name] & now[other]
                if other != name and shared and not shipped[name] & shipped[other]:
                    return name, min(shared), other.removesuffix(" (fixed)")
    return None


def _for_textual(granted: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """Write the keymap, with the bindings that share a key that is given up."""
    keymap: dict[str, str] = {}
    kept: dict[str, dict[str, None]] = {}
    for context in _contexts():
        given_up = {binding.key for binding in context if short(binding) in granted}
        for binding in context:
            if short(binding) in granted:
                keymap[binding.id or ""] = ",".join(granted[short(binding)])
            elif binding.key in given_up:
                kept[binding.id or ""] = {}
    for identity, keys in kept.items():
        keys.update(dict.fromkeys(binding.key for context in _contexts() for binding in context if binding.id == identity))
    return keymap | {identity: ",".join(keys) for identity, keys in kept.items()}
