"""What one revision of a trainer accepts: its flags and the conditions over them, as data."""
