//! Engine `vc`: programs whose loops carry invariants. One obligation per property, decided by the core.
