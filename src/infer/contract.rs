//! A contract as text in the annotation language.

/// A case of a contract: `behavior NAME: assumes ..; ensures ..;`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// When it applies, besides what the contract requires.
    pub assumes: Vec<String>,
    /// What it promises.
    pub ensures: Vec<String>,
}

/// What a caller must establish, what may change, what is promised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// Conjuncts of the precondition.
    pub requires: Vec<String>,
    /// Locations that may change; `None`: everything that the function reaches.
    pub assigns: Option<Vec<String>>,
    /// What may be freed; `None`: the function frees nothing, or it is not known what.
    pub frees: Option<Vec<String>>,
    /// Promises that always hold.
    pub ensures: Vec<String>,
    /// Promises that hold for certain shapes.
    pub cases: Vec<Case>,
}

impl Contract {
    /// Its clauses, each with its depth: those of a case are one level deeper.
    fn clauses(&self) -> Vec<(usize, String)> {
        let mut out = Vec::new();
        out.extend(self.requires.iter().map(|p| (0, format!("requires {p};"))));
        let assigns = self.assigns.as_ref().map(|targets| match targets[..] {
            [] => "\\nothing".to_owned(),
            _ => targets.join(", "),
        });
        out.extend(assigns.map(|targets| (0, format!("assigns  {targets};"))));
        out.extend(self.frees.as_ref().map(|cells| (0, format!("frees    {};", cells.join(", ")))));
        out.extend(self.ensures.iter().map(|p| (0, format!("ensures  {p};"))));
        for case in &self.cases {
            out.push((0, format!("behavior {}:", case.name)));
            out.extend(case.assumes.iter().map(|p| (1, format!("assumes {p};"))));
            out.extend(case.ensures.iter().map(|p| (1, format!("ensures {p};"))));
        }
        if out.is_empty() {
            out.push((0, "requires \\true;".to_owned()));
        }
        out
    }

    /// As it is pasted before a function whose first word stands in this column.
    #[must_use]
    pub fn pretty(&self, indent: &str) -> String {
        let clauses = self.clauses().into_iter().map(|(depth, text)| "  ".repeat(depth) + &text);
        let clauses: Vec<String> = clauses.collect();
        format!("/*@ {} @*/", clauses.join(&format!("\n{indent}    ")))
    }

    /// On one line, so that no line of the text moves.
    #[must_use]
    pub fn compact(&self) -> String {
        let clauses: Vec<String> = self.clauses().into_iter().map(|(_, text)| text).collect();
        format!("/*@ {} @*/ ", clauses.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contract_as_it_is_pasted() {
        let list = Case {
            name: "list".to_owned(),
            assumes: vec!["\\list(next, l)".to_owned()],
            ensures: vec!["\\list(next, \\result)".to_owned()],
        };
        let mut contract = Contract {
            requires: vec!["\\valid(e)".to_owned()],
            assigns: Some(vec!["e->next".to_owned()]),
            frees: None,
            ensures: vec!["\\result == e".to_owned()],
            cases: vec![list],
        };
        let text = "/*@ requires \\valid(e);\n    assigns  e->next;\n    ensures  \\result == e;\n    behavior list:\n      assumes \\list(next, l);\n      ensures \\list(next, \\result); @*/";
        assert_eq!(contract.pretty(""), text);
        contract.cases.clear();
        contract.ensures.clear();
        contract.assigns = Some(Vec::new());
        assert_eq!(contract.compact(), "/*@ requires \\valid(e); assigns  \\nothing; @*/ ");
        assert_eq!(Contract::default().compact(), "/*@ requires \\true; @*/ ");
    }
}
