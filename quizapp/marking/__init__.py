"""Mark what people wrote on printed sheets: pure, the grader is an argument.

``answers_file`` reads a CSV file of answers, ``places`` finds whose they are and to what, ``marks`` marks them, ``mistakes``
sums up what a class did wrong, ``tables`` and ``pages`` write it all down.
"""
