//! The table: name, default, range, what it trades, and the bench or test that fixes the default.

use super::Choice;
use std::sync::atomic::AtomicU64;

macro_rules! options {
    ($($id:ident = $default:expr, $range:expr, $name:literal, $trades:literal, $fixed_by:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "`: ", $trades, ".")]
            pub static $id: Choice = Choice {
                name: $name,
                default: $default,
                range: $range,
                trades: $trades,
                fixed_by: $fixed_by,
                value: AtomicU64::new($default),
            };
        )*

        /// All lines, in the order of the parts.
        pub static TABLE: &[&Choice] = &[$(&$id),*];
    };
}

options! {
    SEARCH_BACKEND = 0, (0, 2), "solver.backend",
        "0: the own online search; 1: the offline loop, a reference that is 1 to 4 times slower, over the own SAT solver; \
         2: over varisat if it is built in",
        "benches/conditions";
    C_ELEMENTS = 64, (1, 4_096), "c.elements",
        "elements of an array inside an object that are told apart: each is a field, and an index that is not constant a case for each; a longer array of numbers has bounds but no values",
        "tests/programs/idioms";
    PORTFOLIO_GLANCE = 30_000, (0, 10_000_000), "portfolio.glance",
        "commands of the search after what one engine verified: a few milliseconds; more catches more wrong proofs",
        "catena suite all";
    PORTFOLIO_FIRST_LOOK = 300_000, (0, 100_000_000), "portfolio.first_look",
        "commands of the search before the engines that infer invariants: most faults show up at once; more finds more, and takes longer",
        "tests/it/programs";
    PORTFOLIO_PATIENCE_MS = 60_000, (1, 3_600_000), "portfolio.patience_ms",
        "what an engine that has others behind it gets if no time limit is set; longer lets a slow engine finish and delays those after it",
        "tests/it/competition";
    PORTFOLIO_FIRST_RUN_MS = 4_000, (0, 3_600_000), "portfolio.first_run_ms",
        "what the deterministic run gets before the engines: it may have no end; longer decides longer programs by running them",
        "tests/it/competition";
    PORTFOLIO_SLICE_MS = 2_000, (1, 3_600_000), "portfolio.slice_ms",
        "what each engine gets in the first round; longer lets a slow engine finish and delays those after it",
        "tests/it/competition";
    PORTFOLIO_PATHS = 1, (0, 2), "portfolio.paths",
        "1: the paths of a `main` are followed beside the engines, exactly and summed up; 0 leaves it to the engines alone, 2 to the summed paths, as the tests of what they see need it",
        "benches/tools/compiled";
    PORTFOLIO_LARGE = 1_500, (0, 1_000_000), "portfolio.large",
        "locations of a program that is not given to a second engine: the engines' preparations alone would take longer than a second opinion may; larger asks a second engine about more programs",
        "benches/size";
    PORTFOLIO_SECOND_OPINION_MS = 100, (1, 60_000), "portfolio.second_opinion_ms",
        "most time for a second opinion; longer catches more wrong proofs",
        "catena suite all";
    PORTFOLIO_SHRINKING = 2_000_000, (0, 100_000_000), "portfolio.shrinking",
        "commands spent on making a counterexample smaller; more makes counterexamples smaller, and takes longer",
        "tests/it/programs";
    C_PLAIN = 1, (0, 1), "c.plain",
        "1: arrays inside of objects, blocks, texts, unions and much of the library become cells where a function cannot be lowered otherwise; 0 leaves such functions to the execution of paths",
        "benches/tools/compiled";
    PARTS_LARGEST = 20_000_000, (0, 1_000_000_000), "parts.largest",
        "pointer variables times locations of a program that is looked at region by region; larger takes more memory, four bytes each",
        "benches/size";
    PARTS_POINTERS = 0, (0, 1_000_000), "parts.pointers",
        "pointer variables from which on a program whose heap is one region is simplified before the engines see it; fewer simplifies smaller programs",
        "benches/size";
    PARTS_SHARE = 3, (1, 100), "parts.share",
        "the part of the time, one in so many, that deciding a program region by region may take; larger leaves more for the program as a whole",
        "benches/size";
    CERTIFICATE_OTHERS_MS = 2_000, (1, 600_000), "certificate.others_ms",
        "most time for an engine that has to find again what another one verified; longer gives more proofs instead of tests on instances",
        "tests/it/certificates";
    EXPLORE_STRETCH = 16_384, (1, 10_000_000), "explore.stretch",
        "commands after which a run without choices lets others go first: it may have no end; larger follows one run further before another one",
        "benches/interp";
    EXPLORE_UNSEEN = 24, (1, 10_000), "explore.unseen",
        "combinations of what a call may leave in fields that neither its `ensures` nor the next steps look at; more finds more, and takes longer",
        "tests/it/programs";
    EXPLORE_WAITING = 6_000_000, (1_000, 100_000_000), "explore.waiting",
        "values in the states of runs that wait to be followed, about: a hundred megabytes. Of arrays with arbitrary elements there are many states, and each is large; more finds more, and takes more memory",
        "tests/it/limits";
    EXPLORE_REMEMBERED = 100_000, (0, 10_000_000), "explore.remembered",
        "entry states that are remembered; more saves time and takes more memory",
        "benches/interp";
    EXPLORE_SAMPLE_RUN = 4_000, (1, 1_000_000), "explore.sample_run",
        "most commands of one run; more finds more, and takes longer",
        "tests/it/competition";
    SOLVER_SMALL_MODELS_WORK = 100_000, (1, 100_000_000), "solver.small_models_work",
        "what one size may cost; more finds more, and takes longer",
        "benches/conditions";
    SOLVER_PATTERN_ROUNDS = 30, (1, 10_000), "solver.pattern_rounds",
        "rounds without a conflict in between; where instances make terms that match again, this ends it; more lets more be proved, and takes longer",
        "benches/versus";
    SOLVER_PATTERN_INSTANCES_PER_ROUND = 20, (1, 10_000), "solver.pattern_instances_per_round",
        "instances of one quantifier in one round, so that a loop of one does not keep others waiting; more needs fewer rounds and has more instances that nobody needs",
        "benches/versus";
    SOLVER_PATTERN_LARGEST = 64, (1, 10_000), "solver.pattern_largest",
        "patterns with more subterms than this are not used; more lets more be proved, and takes longer",
        "benches/versus";
    SOLVER_PATTERN_ALTERNATIVES = 4, (1, 100), "solver.pattern_alternatives",
        "inferred patterns that are tried side by side; more lets more be proved, and takes longer",
        "benches/versus";
    SOLVER_INSTANCES_PER_MODEL = 12, (1, 10_000), "solver.instances_per_model",
        "violated instances added per quantifier and model; more needs fewer models and has more instances that nobody needs",
        "benches/conditions";
    SOLVER_BOUNDARIES_PER_MODEL = 3, (1, 1_000), "solver.boundaries_per_model",
        "violated instances of one quantifier over an integer that one model gives at boundaries; more needs fewer models and has more instances that nobody needs",
        "benches/conditions";
    SOLVER_BOUNDARIES = 48, (1, 10_000), "solver.boundaries",
        "at most so many terms for one quantifier; more lets more be proved, and takes longer",
        "benches/versus";
    SOLVER_CASE_TERMS = 2_000, (0, 1_000_000), "solver.case_terms",
        "formulas looked at for one disjunction; more decides shared equalities of larger terms at once, and takes longer",
        "benches/conditions";
    SOLVER_CASE_DEPTH = 6, (0, 64), "solver.case_depth",
        "how deep a disjunction is looked into; the walk is recursive; more decides shared equalities of deeper terms at once, and takes longer",
        "benches/conditions";
    SOLVER_CASE_EQUALITIES = 16, (0, 1_000), "solver.case_equalities",
        "equalities kept of one disjunction; more decides more shared equalities at once, and takes longer",
        "benches/conditions";
    SOLVER_SPLITS_COMPARED = 16, (1, 10_000), "solver.splits_compared",
        "at most this many open splits are compared for the shortest explanation; more chooses better splits, and takes longer",
        "benches/incremental";
    SOLVER_SPLITS = 256, (1, 100_000), "solver.splits",
        "at most this many splits are opened at once; more splits at once, of which some are for nothing",
        "benches/incremental";
    SOLVER_SHORT_CONFLICT = 5, (0, 1_000), "solver.short_conflict",
        "conflicts with more literals than this (not counting those fixed at level 0) are minimised; larger leaves longer conflicts as they are",
        "benches/incremental";
    SOLVER_MINIMISING_WORK = 20_000, (0, 100_000_000), "solver.minimising_work",
        "literals asserted while one conflict is minimised; a long conflict would take quadratic time otherwise; more makes conflicts shorter, and takes longer",
        "benches/incremental";
    SOLVER_MODEL_ROUNDS = 48, (1, 100_000), "solver.model_rounds",
        "rounds of model-based instances before a search outside the complete fragments gives up for good; more lets more be proved, and takes longer",
        "benches/conditions";
    SOLVER_FIRST_ROUNDS = 8, (1, 100_000), "solver.first_rounds",
        "the same before small finite models are tried; more lets more be proved, and takes longer",
        "benches/conditions";
    SOLVER_FIRST_RESTART = 100, (1, 1_000_000), "solver.first_restart",
        "conflicts before the first restart; each restart waits a tenth longer; larger stays longer in one part of the search",
        "benches/conditions";
    GROUND_INSTANCES_PER_ROUND = 40, (1, 100_000), "ground.instances_per_round",
        "at most this many instances of one quantifier are added for one model; more needs fewer rounds and has more instances that nobody needs",
        "benches/pdr";
    GROUND_LEMMAS_PER_ROUND = 64, (1, 100_000), "ground.lemmas_per_round",
        "at most this many lemmas of equality are added for one model; more needs fewer rounds and has more lemmas that nobody needs",
        "benches/pdr";
    INTEGERS_CUT_PERIOD = 4, (1, 1_000_000), "integers.cut_period",
        "one fractional call in this many looks for a cut first; the others branch; a larger number tries it less often",
        "benches/growth";
    INTEGERS_CUBE_PERIOD = 16, (1, 1_000_000), "integers.cube_period",
        "one fractional call in this many tries the cube test, which solves a copy of the whole problem; a larger number tries it less often",
        "benches/growth";
    INTEGERS_BOX_PERIOD = 64, (1, 1_000_000), "integers.box_period",
        "one fractional call in this many searches a box around the present solution, which branches in a copy; a larger number tries it less often",
        "benches/growth";
    INTEGERS_FIRST_BOX = 12, (1, 1_000_000), "integers.first_box",
        "the call that searches the first one; a larger number tries it less often",
        "benches/growth";
    INTEGERS_CUTS = 1_000, (0, 1_000_000), "integers.cuts",
        "cuts are permanent rows once asserted, so there is an end to them; more lets more be proved, and takes longer",
        "benches/growth";
    INTEGERS_CUT_ROWS = 4, (1, 1_000), "integers.cut_rows",
        "fractional rows tried for a cut in one call; more cuts at once, of which some are for nothing",
        "benches/growth";
    INTEGERS_CUT_TERMS = 24, (1, 10_000), "integers.cut_terms",
        "cuts with more terms slow the tableau down more than they help; longer cuts exclude more and cost more",
        "benches/growth";
    INTEGERS_BOX_NODES = 100, (1, 1_000_000), "integers.box_nodes",
        "splits and cuts in one box; more finds more, and takes longer",
        "benches/growth";
    INTERPOLANTS_BRANCHES = 500, (1, 1_000_000), "interpolants.branches",
        "branches on integers before the search is given up; more finds more, and takes longer",
        "benches/interp";
    INTERPOLANTS_CONJUNCTS = 200, (1, 100_000), "interpolants.conjuncts",
        "conjuncts beyond which a projection is given up; more finds more, and takes longer",
        "benches/interp";
    INTERPOLANTS_CUBES = 256, (1, 100_000), "interpolants.cubes",
        "more finds more, and takes longer",
        "benches/interp";
    VC_MODEL_CELLS = 5, (1, 12), "vc.model_cells",
        "heaps of at most this many cells are looked for one by one before any model will do; more shows smaller counterexamples, and takes longer",
        "benches/vc";
    VC_REPLAY = 1_000_000, (1, 100_000_000), "vc.replay",
        "commands that a replay may execute; well below a second; more finds more, and takes longer",
        "benches/vc";
    VC_SHRINKING = 50_000, (1, 100_000_000), "vc.shrinking",
        "work of the core on one attempt to make a model smaller; more shows smaller counterexamples, and takes longer",
        "benches/vc";
    VC_VACUOUS = 200_000, (1, 100_000_000), "vc.vacuous",
        "work of the core; contradictions that somebody wrote by mistake are found sooner; more warns of more contracts that nobody can meet",
        "tests/it/facade";
    VC_HINT_CONJUNCTS = 5, (1, 100), "vc.hint_conjuncts",
        "conjuncts that are proposed at most; more finds more, and takes longer",
        "tests/it/programs";
    VC_HINT_STATES = 4_000, (1, 1_000_000), "vc.hint_states",
        "states of runs that are kept per loop; more makes hints better, and takes longer",
        "tests/it/programs";
    VC_HINT_STEPS = 100_000, (1, 100_000_000), "vc.hint_steps",
        "work of the core on one question; more makes hints better, and takes longer",
        "tests/it/programs";
    VC_TOGETHER = 400_000, (0, 100_000_000), "vc.together",
        "work on all conjuncts of a clause at once, in the first stage; later ones ask one by one; more asks about more obligations in one solver",
        "benches/vc";
    VC_CANDIDATES = 6_000, (1, 1_000_000), "vc.candidates",
        "all candidates; more makes hints better, and takes longer",
        "tests/it/programs";
    HEAPS_FIRST_SEARCH = 500_000, (0, 100_000_000), "heaps.first_search",
        "commands that the search for a failing run may execute before more predicates are tried; more finds more, and takes longer",
        "benches/heaps";
    HEAPS_LAST_SEARCH = 10_000_000, (0, 1_000_000_000), "heaps.last_search",
        "commands that the search for a failing run may execute; more finds more, and takes longer",
        "benches/heaps";
    HEAPS_LEARN_STEPS = 100_000, (1, 100_000_000), "heaps.learn_steps",
        "work that a question may take. What is left open then is left to the final check; more lets more be proved, and takes longer",
        "benches/heaps";
    HEAPS_LEARN_OBJECTS = 20_000, (1, 1_000_000), "heaps.learn_objects",
        "objects in all heaps of a loop at most; more lets more be proved, and takes longer",
        "benches/heaps";
    HEAPS_RUNS_GROWTH = 4, (2, 1_000), "heaps.runs_growth",
        "runs go on, each time so many times as far, while they show something new and up to this many commands; larger looks at fewer rounds of runs",
        "benches/heaps";
    HEAPS_RUNS = 160_000, (1, 100_000_000), "heaps.runs",
        "more proposes less that is wrong, and takes longer",
        "benches/heaps";
    HEAPS_RUNS_PATIENCE = 150, (1, 100_000), "heaps.runs_patience",
        "larger states in a row that show nothing new, after which no more are run; more proposes less that is wrong, and takes longer",
        "benches/heaps";
    HEAPS_RUNS_NODES = 5_000_000, (1, 1_000_000_000), "heaps.runs_nodes",
        "nodes of formulas that are evaluated at most to find out which larger states satisfy the precondition; more proposes less that is wrong, and takes longer",
        "benches/heaps";
    HEAPS_STRETCH_SEEDS = 128, (1, 10_000), "heaps.stretch_seeds",
        "states that are kept to be stretched; more proposes less that is wrong, and takes longer",
        "benches/heaps";
    HEAPS_STRETCH_FAVOURED = 32, (1, 10_000), "heaps.stretch_favoured",
        "states that showed something new of which variants are made, at most; more proposes less that is wrong, and takes longer",
        "benches/heaps";
    HEAPS_STRETCH_GUESSES = 6, (1, 1_000), "heaps.stretch_guesses",
        "guesses per cell that is to be added; more proposes less that is wrong, and takes longer",
        "benches/heaps";
    HEAPS_PROVE_SHARED = 40_000, (1, 100_000_000), "heaps.prove_shared",
        "work that a question may take in a solver that has seen others; more lets more be proved, and takes longer",
        "benches/heaps";
    HEAPS_PROVE_OWN = 1_000_000, (1, 1_000_000_000), "heaps.prove_own",
        "work that a question may take in a solver of its own; more lets more be proved, and takes longer",
        "benches/heaps";
    HEAPS_PROPOSALS = 18, (1, 30), "heaps.proposals",
        "proposals per loop at most; more lets more be proved, and takes longer",
        "benches/heaps";
    HEAPS_GROWN = 300, (1, 100_000), "heaps.grown",
        "models of the final check that may grow the heaps; more lets more be proved, and takes longer",
        "benches/heaps";
    HEAPS_TAUTOLOGY_STEPS = 2_000, (1, 10_000_000), "heaps.tautology_steps",
        "work that a question may take; more lets more be proved, and takes longer",
        "benches/heaps";
    HEAPS_BACKGROUND_STEPS = 100_000, (1, 100_000_000), "heaps.background_steps",
        "work that one question about a candidate may take; more lets more be proved, and takes longer",
        "benches/heaps";
    LAZY_REFINEMENTS = 200, (1, 1_000_000), "lazy.refinements",
        "most refinements; more lets more be proved, and takes longer",
        "benches/lazy";
    LAZY_RESCUES = 12, (0, 10_000), "lazy.rescues",
        "how often interpolants are asked where cores say nothing new: they may invent predicates for ever; more lets more be proved, and takes longer",
        "benches/lazy";
    LAZY_LAST_LOOK = 1_000_000, (0, 1_000_000_000), "lazy.last_look",
        "commands of the last search for a failing run (DESIGN 6, decision 9); more finds more, and takes longer",
        "benches/lazy";
    LAZY_ATOMS = 120, (1, 120), "lazy.atoms",
        "most scalar predicates; more lets more be proved, and takes longer",
        "benches/lazy";
    MONOTONE_FIRST_OF_TREES = 1_000, (1, 1_000_000), "monotone.first_of_trees",
        "signatures of the first attempt where trees are spoken of. Their decoloured edges either settle early or split for ever, and then frames help (`catena suite monotone`, both tree inserts that walk first); more lets more be proved, and takes longer",
        "benches/monotone";
    MONOTONE_PATTERNS = 4_000, (1, 1_000_000), "monotone.patterns",
        "more lets more be proved, and takes longer",
        "benches/monotone";
    MONOTONE_COMPARISON = 2_000, (1, 1_000_000), "monotone.comparison",
        "steps of one comparison. Signatures that are not found to be below another are kept beside it; more lets more be proved, and takes longer",
        "benches/monotone";
    PDR_SEARCH = 100_000, (0, 100_000_000), "pdr.search",
        "commands that a search for a real run may execute beside the model's own; more finds more, and takes longer",
        "benches/pdr";
    PDR_GENERALISE_FAILURES = 6, (1, 10_000), "pdr.generalise_failures",
        "after so many literals in a row that could not be dropped the rest is kept; more makes clauses shorter, and takes longer",
        "benches/pdr";
    PDR_GENERALISE_ATTEMPTS = 24, (1, 10_000), "pdr.generalise_attempts",
        "larger cores are not worth the attempt on every literal; more makes clauses shorter, and takes longer",
        "benches/pdr";
    PDR_SHORTEN_QUERIES = 4_000, (0, 10_000_000), "pdr.shorten_queries",
        "more queries than this are not spent on making an invariant nicer; more makes invariants shorter, and takes longer",
        "benches/pdr";
    PDR_THIN_QUERIES = 2_000, (0, 10_000_000), "pdr.thin_queries",
        "more queries than this are not spent on fewer lemmas; more makes invariants shorter, and takes longer",
        "benches/pdr";
    PDR_UNIVERSAL_FAILURES = 8, (1, 10_000), "pdr.universal_failures",
        "after so many literals in a row that could not be dropped the rest is kept; more makes clauses shorter, and takes longer",
        "benches/pdr";
    PDR_NAMES = 14, (1, 24), "pdr.names",
        "pointer names up to which terms are added: predicates grow with the square; more lets more be proved, and takes longer",
        "benches/pdr";
    PDR_REPROVE_ROUNDS = 6, (1, 1_000), "pdr.reprove_rounds",
        "rounds of dropping; more lets more be proved, and takes longer",
        "benches/pdr";
    PDR_TRIPLES = 4_000_000, (1_000, 100_000_000), "pdr.triples",
        "names that are looked at per location, in all: each location has a set of live names, constants among them; more lets more be proved, and takes longer",
        "benches/pdr";
    EXPLORE_CELLS = 4, (0, 8), "explore.cells",
        "most cells at the entry in a search for a failing run; more finds more, and takes much longer",
        "tests/it/programs";
    EXPLORE_INTS = 6, (1, 64), "explore.ints",
        "most integers tried per place in a search for a failing run; more finds more, and takes much longer",
        "tests/it/programs";
    EXPLORE_COMMANDS_PER_ENTRY = 20_000, (1, 100_000_000), "explore.commands_per_entry",
        "most commands from one entry state; more finds longer runs from fewer states",
        "tests/it/programs";
    EXPLORE_COMMANDS = 20_000_000, (1, 10_000_000_000), "explore.commands",
        "most commands of a whole search for a failing run; more finds more, and takes longer",
        "tests/it/programs";
    VC_FIRST_WORK = 100_000, (1, 1_000_000_000), "vc.first_work",
        "work on one obligation before a failing run is looked for; more lets more be proved, and delays counterexamples",
        "benches/vc";
    VC_SECOND_WORK = 10_000_000, (1, 10_000_000_000), "vc.second_work",
        "work on one obligation before all the time there is goes to what is open; more lets more be proved, and delays counterexamples",
        "benches/vc";
    VC_FIRST_SEARCH = 100_000, (0, 1_000_000_000), "vc.first_search",
        "commands of the search after the first work; more finds more, and delays proofs",
        "benches/vc";
    VC_SECOND_SEARCH = 5_000_000, (0, 1_000_000_000), "vc.second_search",
        "commands of the search after the second work; more finds more, and delays proofs",
        "benches/vc";
    SOLVER_SMALL_MODELS_AFTER = 1_500_000, (0, 1_000_000_000), "solver.small_models_after",
        "work on a check before models of a few elements are tried; later costs less where there is no small model",
        "benches/conditions";
    SOLVER_PATTERN_INSTANCES = 500, (1, 100_000), "solver.pattern_instances",
        "instances by patterns of one quantifier; more lets more be proved, and takes longer",
        "benches/versus";
    HEAPS_PROVE_STEPS = 500_000, (1, 1_000_000_000), "heaps.prove_steps",
        "work on one obligation with the predicates that a heap has; more lets more be proved, and takes longer",
        "benches/heaps";
    MONOTONE_KEPT = 60_000, (1, 10_000_000), "monotone.kept",
        "signatures that one attempt keeps; more lets more be proved, and takes longer and more memory",
        "benches/monotone";
    MONOTONE_FIRST_COMPARED = 2_000_000, (1, 100_000_000_000), "monotone.first_compared",
        "comparisons of signatures in the plain attempt; more lets more be proved without refinement, and delays refinement",
        "benches/monotone";
    MONOTONE_COMPARED = 20_000_000, (1, 100_000_000_000), "monotone.compared",
        "comparisons of signatures in a refined attempt; more lets more be proved, and delays the next attempt",
        "benches/monotone";
    MONOTONE_LAST_COMPARED = 200_000_000, (1, 100_000_000_000), "monotone.last_compared",
        "comparisons of signatures in the last attempt; more lets more be proved, and takes longer",
        "benches/monotone";
}
