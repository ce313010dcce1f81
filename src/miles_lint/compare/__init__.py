"""Two folds in one space of conditions, and what differs between their uses of flags."""
