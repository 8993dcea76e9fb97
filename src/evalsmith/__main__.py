"""``python -m evalsmith`` is the ``evalsmith`` command."""

from evalsmith.cli.main import main

if __name__ == "__main__":
    main()
