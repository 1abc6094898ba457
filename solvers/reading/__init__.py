"""How typed answers are read: folding, markup, tokens, formulas, arrays, words. ``solvers.answers`` is the public face."""
