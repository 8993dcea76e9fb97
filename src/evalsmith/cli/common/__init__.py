"""What the verbs share: help, options, output, the terminal at which a person plays, the page of settings."""
