"""Grade notebooks from outside the student's process."""

import sys

__version__ = "0.1.0"
# jsonschema imports it, where it is, to check addresses. No notebook has such a field, and it takes as long as all the rest of nbformat.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
