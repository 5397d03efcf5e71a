"""What an instructor writes, read: the course's configuration, notebooks' sources, catalogues, graders."""
