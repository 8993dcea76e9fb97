"""The verbs on one position, and the engine itself; one file per verb."""
