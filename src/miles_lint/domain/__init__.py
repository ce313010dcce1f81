"""What a value may be: pure data, no syntax and no files."""
