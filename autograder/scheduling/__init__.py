"""Many submissions at once: worker processes, grading ahead, kept results, progress."""
