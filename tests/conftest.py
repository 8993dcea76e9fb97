"""What holds for every test: none measures time, since a kernel may be compiled at its first use."""

from hypothesis import settings

settings.register_profile("evalsmith", deadline=None)
settings.load_profile("evalsmith")
