"""Games of any game as tags and moves in the game's own notation."""
