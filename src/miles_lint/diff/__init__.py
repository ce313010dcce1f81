"""Recipes of two files or two revisions side by side, and how their differences are told."""
