"""Weights written back into a source file between its markers."""

from evalsmith.weights.patching.patch import Patched, patch_file, patch_text

__all__ = ["Patched", "patch_file", "patch_text"]
