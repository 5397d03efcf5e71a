"""Canvas over its API: submissions come in, points and feedback pages go back."""
