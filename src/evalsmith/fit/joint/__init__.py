"""All columns of a layout fitted together: rows, what is minimised over them, and how good what was found is."""
