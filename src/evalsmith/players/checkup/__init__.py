"""Checks that a program follows its protocol, step by step."""
