//! What stands before the declarators besides the type: storage, qualifiers, attributes.

/// Storage and function specifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Specifiers {
    /// `typedef`
    pub typedef: bool,
    /// `extern`
    pub external: bool,
    /// `static`
    pub is_static: bool,
    /// `inline`
    pub inline: bool,
    /// `const`: of the object if its type is no pointer
    pub constant: bool,
    /// `volatile`
    pub volatile: bool,
    /// `_Thread_local`, `__thread`
    pub thread: bool,
    /// `_Atomic`
    pub atomic: bool,
    /// Attributes that matter.
    pub attributes: Attributes,
}

impl Specifiers {
    /// A function that no other unit sees. An `inline` definition is for its own unit, too.
    pub fn is_private(&self) -> bool {
        self.is_static || (self.inline && !self.external)
    }
}

/// What attributes and `asm` labels change about the declaration they stand in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Sizes or alignments.
    pub layout: bool,
    /// Members lie without gaps.
    pub packed: bool,
    /// The function runs before or after `main`.
    pub by_itself: bool,
    /// The name in the object file: two names may be one object.
    pub renamed: bool,
    /// Something else.
    pub strange: bool,
}

impl Attributes {
    /// Takes in those of another part of the same declaration.
    pub fn add(&mut self, other: Attributes) {
        self.layout |= other.layout;
        self.packed |= other.packed;
        self.by_itself |= other.by_itself;
        self.renamed |= other.renamed;
        self.strange |= other.strange;
    }
}

impl Specifiers {
    /// What keeps an object declared so from being modelled.
    pub fn unmodelled(&self) -> Option<&'static str> {
        if self.volatile {
            Some("a volatile object")
        } else if self.atomic {
            Some("an atomic object")
        } else if self.thread {
            Some("a thread-local object")
        } else if self.attributes.strange
            || (self.typedef && (self.attributes.layout || self.attributes.packed))
        {
            Some("what this attribute does")
        } else if self.attributes.renamed {
            Some("an `asm` label")
        } else {
            None
        }
    }
}
