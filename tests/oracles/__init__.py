"""Ground truth for the contract: the real trainer's parser and validators, run in a sandbox. Test-only."""
