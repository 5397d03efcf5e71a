"""Float64 NumPy references of every task: they import NumPy alone and know neither Keras nor the solutions."""
