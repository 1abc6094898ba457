"""The shell commands: one file each, and beside them what they share."""
