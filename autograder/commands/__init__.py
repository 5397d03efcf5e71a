"""The commands that people type, and what they print."""
