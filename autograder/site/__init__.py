"""The course's own site: static pages of its releases, from the same sources, that need no server."""
