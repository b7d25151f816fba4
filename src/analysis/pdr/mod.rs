//! Engine `pdr`: property-directed reachability over predicates of the state; infers loop invariants.
