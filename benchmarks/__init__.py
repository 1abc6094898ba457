"""What the product's speed is held to: ``python -m benchmarks``, one module for each section."""
