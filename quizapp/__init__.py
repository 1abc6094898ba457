"""Where it happens: the terminal application and the command line."""
