"""What every part of the engine uses: errors, two languages, folders, names that are safe to print."""
