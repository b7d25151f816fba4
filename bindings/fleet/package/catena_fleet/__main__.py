"""`python -m catena_fleet`."""

import sys

from .cli import main

sys.exit(main())
