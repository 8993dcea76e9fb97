"""Labels: values for the positions of a dataset, from playouts, searches, solvers or other programs."""
