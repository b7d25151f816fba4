//! Engine `monotone`: backward reachability over signatures, after monotonic abstraction.
