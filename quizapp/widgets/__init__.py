"""The parts that screens are made of. A widget knows nothing of screens: data goes down, messages come up."""
