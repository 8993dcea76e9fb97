"""Which entry of a full bucket of the table is replaced: the policies by name."""

RELEVANCE, DEPTH, ALWAYS = 0, 1, 2
POLICIES = {"relevance": RELEVANCE, "depth": DEPTH, "always": ALWAYS}
