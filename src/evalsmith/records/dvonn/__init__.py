"""The two formats of DVONN games: logs and CodeCup's transcripts."""
