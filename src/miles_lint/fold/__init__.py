"""Partial evaluation: everything that can be known without running is computed, the rest is a named unknown."""
