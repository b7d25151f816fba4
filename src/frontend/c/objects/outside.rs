//! What a program shares with others: callers of a function that is checked by itself, functions that are called by
//! contract.

use super::super::hir::Variable;
use super::super::types::{RecordId, Ty};
use super::classes::Class;
use super::flow::Flow;
use crate::util::hash::Map;

impl Flow<'_> {
    /// What a function that is checked by itself shares with its callers.
    pub(super) fn expose_entry(&mut self, entry: u32) {
        let function = &self.functions[entry as usize];
        for (index, ty) in (0..).zip(&function.parameters) {
            let class = self.variable(entry, Variable::Local(index));
            self.expose(class, ty);
        }
        let result = self.result(entry);
        self.expose(result, &function.result);
    }

    /// What everybody shares.
    pub(super) fn expose_globals(&mut self) {
        for (index, global) in (0..).zip(&self.checked.globals) {
            let class = self.variable(u32::MAX, Variable::Global(index));
            self.expose(class, &global.ty);
        }
    }

    /// Others see an object of this type: what it leads to has the type that it says, and may be anything if it says none.
    pub(super) fn expose(&mut self, class: Class, ty: &Ty) {
        let mut open = vec![(class, ty.clone())];
        // All objects of one struct that others see are one class.
        let mut seen: Map<RecordId, Class> = Map::default();
        while let Some((class, ty)) = open.pop() {
            self.classes.known(class).exposed = true;
            match &ty {
                Ty::Pointer(inner) => {
                    let behind = self.classes.behind(class);
                    self.classes.known(behind).vague |= self.opaque(inner);
                    open.push((behind, (**inner).clone()));
                }
                Ty::Array(element, _) => open.push((class, (**element).clone())),
                Ty::Record(record) if !self.opaque(&ty) => {
                    if let Some(known) = seen.get(record) {
                        self.classes.join(*known, class);
                        continue;
                    }
                    seen.insert(*record, class);
                    let members = self.types.record(*record).members.as_deref().unwrap_or(&[]);
                    for (index, member) in (0..).zip(members) {
                        let inside = self.field(class, *record, index);
                        open.push((inside, member.ty.clone()));
                    }
                }
                _ => {}
            }
        }
    }
}
