//! Exact integers and rationals. (Being written.)
