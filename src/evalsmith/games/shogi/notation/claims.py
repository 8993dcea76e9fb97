"""What a file claims of a move, as one number, which the board then confirms or not.

Formats tell different things of a move: CSA the piece as it stands afterwards, KIF the piece before, USI neither, and
KI2 words in place of the origin.
"""

from __future__ import annotations

# A claim is a move (target, 128 times the origin, PROMOTE), and where a file tells them: 2¹⁵ times the kind before the
# move, 2¹⁹ times the kind after it, 2²³ times the side plus one, 2²⁵ times where the piece comes from and 2²⁷ times how
# it moves, by the words of KI2.
BEFORE, AFTER, SIDE, WORD, MOTION = 15, 19, 23, 25, 27
# The origin where a file does not tell it; then the kind before the move is told.
NO_ORIGIN = 127
# What words say, 0 where they say nothing: of the place, as the mover sees the board, and of the motion.
LEFT, RIGHT, STRAIGHT = 1, 2, 3
UP, BESIDE, BACK = 1, 2, 3
