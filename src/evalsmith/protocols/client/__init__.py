"""The other side of each protocol: what is written to a program, and what its lines mean."""
