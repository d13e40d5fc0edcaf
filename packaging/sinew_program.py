"""The frozen program: `sinew`, as an installed one is."""

import sys

from app.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
