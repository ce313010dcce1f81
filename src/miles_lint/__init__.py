"""Find and repair mistakes in the launch recipes of the trainer miles."""

__version__ = "0.1.0"
