"""Training speed: the course's Transformer against the same model of ready-made layers. `python -m benchmarks.training`."""
