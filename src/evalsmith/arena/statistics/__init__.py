"""What results say about strength: Elo and its interval, the sequential test, ratings of many players."""
