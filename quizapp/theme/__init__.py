"""The looks: an exercise book by day and by night, and one without colours (``plain``).

One accent (ink blue) marks what a person can act on and draws the margin line; the three verdict colours are used for
verdicts alone, and always together with a sign.
"""

from __future__ import annotations

from textual.theme import Theme

from quizapp.theme.plain import PLAIN

DAY = Theme(
    name="day",
    dark=False,
    primary="#2d5a9e",
    secondary="#6b7480",
    accent="#2d5a9e",
    foreground="#23292f",
    background="#faf7f0",
    surface="#f1ece1",
    panel="#e9e3d5",
    success="#2c7a3f",
    warning="#96650a",
    error="#b3261e",
    variables={
        "rule": "#c3cad4",
        "ink-soft": "#69717b",
        "border": "#2d5a9e",
        "border-blurred": "#c3cad4",
        "block-cursor-background": "#dde6f3",
        "block-cursor-foreground": "#173b70",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#ece8de",
        "block-cursor-blurred-foreground": "#23292f",
        "block-cursor-blurred-text-style": "none",
        "block-hover-background": "#f1ece1",
        "input-cursor-background": "#2d5a9e",
        "input-cursor-foreground": "#faf7f0",
        "input-selection-background": "#2d5a9e 30%",
        "footer-background": "#faf7f0",
        "footer-foreground": "#69717b",
        "footer-item-background": "#faf7f0",
        "footer-key-foreground": "#2d5a9e",
        "footer-key-background": "#faf7f0",
        "footer-description-foreground": "#69717b",
        "footer-description-background": "#faf7f0",
        "scrollbar": "#d9d3c5",
        "scrollbar-hover": "#c3cad4",
        "scrollbar-active": "#2d5a9e",
        "scrollbar-background": "#faf7f0",
        "scrollbar-background-hover": "#faf7f0",
        "scrollbar-background-active": "#faf7f0",
        "scrollbar-corner-color": "#faf7f0",
    },
)

NIGHT = Theme(
    name="night",
    dark=True,
    primary="#8fb6e8",
    secondary="#8d96a1",
    accent="#8fb6e8",
    foreground="#dcd8cd",
    background="#181c21",
    surface="#22272e",
    panel="#2a3038",
    success="#7fc48d",
    warning="#e0b25c",
    error="#ee8a80",
    variables={
        "rule": "#3c4653",
        "ink-soft": "#8d96a1",
        "border": "#8fb6e8",
        "border-blurred": "#3c4653",
        "block-cursor-background": "#2b3a4f",
        "block-cursor-foreground": "#cfe1f8",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#242a31",
        "block-cursor-blurred-foreground": "#dcd8cd",
        "block-cursor-blurred-text-style": "none",
        "block-hover-background": "#22272e",
        "input-cursor-background": "#8fb6e8",
        "input-cursor-foreground": "#181c21",
        "input-selection-background": "#8fb6e8 35%",
        "footer-background": "#181c21",
        "footer-foreground": "#8d96a1",
        "footer-item-background": "#181c21",
        "footer-key-foreground": "#8fb6e8",
        "footer-key-background": "#181c21",
        "footer-description-foreground": "#8d96a1",
        "footer-description-background": "#181c21",
        "scrollbar": "#333b45",
        "scrollbar-hover": "#3c4653",
        "scrollbar-active": "#8fb6e8",
        "scrollbar-background": "#181c21",
        "scrollbar-background-hover": "#181c21",
        "scrollbar-background-active": "#181c21",
        "scrollbar-corner-color": "#181c21",
    },
)

THEMES = (NIGHT, DAY, PLAIN)
"""What a person can choose from; the first is the default."""
