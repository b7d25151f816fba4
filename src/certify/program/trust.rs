//! What a check of a certificate takes for granted, in words.

use super::Evidence;
use crate::verdict::Language;

/// What has to be right beside the evidence, one sentence for each part of the checker.
#[must_use]
pub fn trusted(evidence: &Evidence) -> &'static [&'static str] {
    const READER: &str = "the reader of C and annotations (held against the compiler on random programs)";
    match evidence {
        Evidence::Proofs { .. } => &[
            READER,
            "the maker of obligations, `program::wp` and `program::encode` (held against the interpreter on all small heaps)",
            "the checker of proofs and the inference rules (validated by `catena rules check`)",
        ],
        Evidence::AllRuns(_) => &[
            READER,
            "the checker's own interpreter, `certify::plain` (held against the other one on random programs)",
        ],
        Evidence::Run(_) => &[READER, "the interpreter that made the run (held against compiled C)"],
        Evidence::Annotation { language: Language::ShapeGraphs, .. } => {
            &[READER, "the engine `lazy`: its shape graphs were tried on small instances, which is no proof"]
        }
        Evidence::Annotation { language: Language::Signatures, .. } => &[
            READER,
            "the engine `monotone`: its signatures were tried on small instances, which is no proof",
        ],
    }
}
