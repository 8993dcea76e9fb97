"""Monte Carlo tree search for every game.

slots         the counters of a thread, and the words of the tree
priors        which moves look good before any was tried
rollout       what a leaf is worth
tree          nodes and edges, made by one thread or several
selection     which way a simulation goes
backup        what the nodes of a simulation learn from it
simulation    one simulation after another, until a limit is reached
reuse         the subtree of what was played becomes the tree
pruning       room in a full tree
memory        the bytes of a search
view          what the tree says: moves, values and lines
searcher      the search as Python sees it
utility       what games for one are worth that clear something
leaves        simulations that stop at a leaf until its value comes from outside
together      many trees whose leaves are evaluated at once
"""
