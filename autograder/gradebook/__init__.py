"""The only modules that import nbgrader: its configuration, releases, grading inside `nbgrader autograde`, exports."""
