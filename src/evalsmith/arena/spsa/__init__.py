"""SPSA: parameters of an engine that no fit can reach, tuned by games between it and itself."""
