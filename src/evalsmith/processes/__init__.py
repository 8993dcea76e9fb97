"""Outside programs as processes: started in their own group, read and written, watched, and ended with their children.

failure.py     how a program can fail
program.py     a running program: its pipes, its answers, its end
footprint.py   the memory that it and its children hold
cgroup.py      memory limits that the kernel enforces
tree.py        the processes that a program has started
"""
