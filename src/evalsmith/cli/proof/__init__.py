"""The verbs that prove strength: matches and what follows from them, checks of programs; one file per verb."""
