"""Launches as people and programs read them: a table, a command line, JSON, the story of one flag."""
