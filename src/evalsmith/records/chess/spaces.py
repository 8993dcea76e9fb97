"""Unicode's spaces in chess texts made into plain ones, in place, so that kernels that see bytes take them for blanks.

A no-break space comes with every text that was copied from a web page. Each byte of one becomes a space, so that all
places in the file stay the same. A lone byte A0 after an ASCII letter is the no-break space of Latin-1; after another
byte it may be the end of a letter in UTF-8, and stays.
"""

from __future__ import annotations

from evalsmith.compile import Integers, driver, int64

LONGEST = 3  # bytes of a space

_SPACE = ord(" ")


@driver("void(uint8[::1], int64, int64)")
def blank_spaces(text: Integers, begin: int, end: int) -> None:
    """Overwrite the spaces of a part of a buffer, which is followed by zero bytes."""
    for i in range(begin, end):
        first = int64(text[i])
        if first < 0x80:
            continue
        second, third = int64(text[i + 1]), int64(text[i + 2])
        length = 0
        if first == 0xC2 and (second == 0xA0 or second == 0x85):  # U+00A0, U+0085
            length = 2
        elif first == 0xE2 and second == 0x80:  # U+2000 to U+200B, U+2028, U+2029, U+202F
            length = 3 if 0x80 <= third <= 0x8B or third == 0xA8 or third == 0xA9 or third == 0xAF else 0
        elif (
            (first == 0xE2 and second == 0x81 and (third == 0x9F or third == 0xA0))
            or (  # U+205F, U+2060
                first == 0xE3 and second == 0x80 and third == 0x80  # U+3000
            )
            or (first == 0xE1 and second == 0x9A and third == 0x80)
        ):
            length = 3
        elif first == 0xA0 and (i == 0 or text[i - 1] < 0x80):
            length = 1
        for j in range(i, i + length):
            text[j] = _SPACE
