"""Seals a forked process off from the machine: namespaces where the system allows them, else Landlock and seccomp."""
