"""Settings of every test of the project."""

from hypothesis import settings

pytest_plugins = ["tests.tiers"]

# How long an example takes is the machine's affair: a busy one fails no test.
settings.register_profile("course", deadline=None)
settings.load_profile("course")
