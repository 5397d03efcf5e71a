"""What people see of a verdict: text, HTML and tables. Nothing here knows an expected value."""
