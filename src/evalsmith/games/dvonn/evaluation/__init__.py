"""Parts of the evaluation of DVONN, which ``terms.py`` puts together: zones, stacks, placed stones, a faster sum."""
