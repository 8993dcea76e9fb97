"""A package with few small kernels in two files, for processes that start cold at once."""
