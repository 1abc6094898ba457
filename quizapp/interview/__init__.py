"""Mock interviews: the script of what is asked, one under way, the report of one held, and the report as Markdown.

Nothing here knows the terminal: ``script`` and ``report`` are pure, ``under_way`` is plain data that is kept on disk.
"""
