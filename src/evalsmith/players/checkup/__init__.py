"""Checks that a program keeps its protocol, one step after another."""
