"""The JSON kifu format (JKF)."""
