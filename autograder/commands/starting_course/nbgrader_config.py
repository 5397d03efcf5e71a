from autograder.sources.course import load_for_nbgrader

load_for_nbgrader(get_config())  # noqa: F821  (traitlets defines get_config; a failure here ends the command)
