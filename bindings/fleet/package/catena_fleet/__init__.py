"""Many programs on many processes and machines: one function, script, benchmark task or seed is one task of Ray, and
answers stand in one SQLite table by the hash of what they are about."""

__version__ = "0.1.0"
