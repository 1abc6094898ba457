"""Printed drill sheets: which problems (``plan``, ``choosing``), as JSON (``record``), as Typst, PDF, Markdown and text."""
