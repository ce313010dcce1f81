"""Random launch recipes in the house style of the trainer's own, for the soundness test."""
