"""What students handed in elsewhere, brought into `submitted/`."""
