"""What the formats of chess share: bytes and encodings of their texts."""
