"""A small whole game that keeps the contract, and variations of it that each break one law."""
