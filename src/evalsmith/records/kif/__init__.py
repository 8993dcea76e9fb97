"""KIF and KI2, the Japanese formats of shogi games."""
