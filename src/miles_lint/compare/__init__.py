"""What two folds would launch, side by side."""
