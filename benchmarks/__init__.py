"""Programs that measure this course: cost of grading a class, and what becomes of broken and hostile submissions."""
