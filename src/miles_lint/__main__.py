"""`python -m miles_lint`."""

import sys

from miles_lint.cli import main

if __name__ == "__main__":
    sys.exit(main())
