"""Binary formats of positions: columns of words in, records of one size out, and back.

    packing = chess.Marlin()
    packed = packing.pack(Positions.of(words, scores, results))
    unpacked = packing.unpack(packed.content)

A position that a format cannot hold is refused by name, what it has no place for is counted by name, and a record that
cannot be is named by its number and its byte.
"""
