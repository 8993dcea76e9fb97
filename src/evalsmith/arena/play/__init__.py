"""Playing games: openings, the referee, workers, and the fast path through games of two outside programs.

referee.py, solo.py         one game between seats; two games for one
fast_path.py                lets pipe_kernel.py lead games between programs that answer at once
workers.py                  play one game at a time, in a kernel or between seats
game_work.py                games as items of work, wherever they are played
lockstep.py                 compare two builds
placements.py, finishing.py  judge openings by referees that finish the games
"""
