"""Jupyter kernels for students' code: one live kernel, and a notebook's run that outlives its kernels."""
