// The gallery: files of the tests, so that what is shown here is what is tested. The lines that say how a file is tested
// are left out. `page/build.mjs` reads them.

/** The first one is shown at the beginning. */
export const programs = [
  ["Insertion at the end of a list: verified", "tests/programs/beyond/insert.c"],
  ["The same, broken: violated", "tests/programs/beyond/insert-wrong_end.c"],
  ["The same without invariant: too weak for the engine vc, found by others", "tests/programs/beyond/insert-no_invariant.c"],
  ["Insertion sort, nothing annotated: inferred", "tests/programs/beyond/monotone_insertion_sort.c"],
  ["Sorted insertion with keys", "tests/programs/beyond/heaps_sorted_insert.c"],
  ["Sorted insertion that stops too early", "tests/programs/beyond/heaps_sorted_insert-stops_at_equal.c"],
  ["A doubly linked list is reversed", "tests/programs/beyond/heaps_dll_reverse.c"],
  ["A back link is forgotten", "tests/programs/beyond/heaps_dll_unlink-no_back_link.c"],
  ["A ring is walked", "tests/programs/beyond/monotone_ring_walk.c"],
  ["Search in a tree", "tests/programs/beyond/heaps_tree_search.c"],
  ["A rotation that keeps the old father", "tests/programs/beyond/heaps_tree_rotate-old_father.c"],
  ["A queue in a whole program", "tests/programs/beyond/lazy/queue.c"],
  ["A list is freed twice", "tests/programs/beyond/lazy/reverse_free-twice.c"],
  ["An intrusive queue with container_of: violated", "tests/programs/edges/objects_queue_container_of_the_head.c"],
];

export const scripts = [
  ["Paths compose", "tests/data/list_transitive.smt2"],
  ["A cycle of three cells", "tests/data/cycle_three.smt2"],
  ["A doubly linked list", "tests/data/doubly_linked.smt2"],
  ["Order along a list", "tests/data/between_order.smt2"],
  ["Linear integers", "tests/data/ints_plane_sat.smt2"],
  ["Three elements", "tests/data/epr_three_elements.smt2"],
];
