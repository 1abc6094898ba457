"""How it is answered: the operations, the real attention, grading and worked steps."""
