"""The small language that recipes and trainers are lowered to."""
