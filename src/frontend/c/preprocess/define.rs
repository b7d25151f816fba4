//! `#define`, and what counts as defined.

use super::super::token::{Kind, Name, Token};
use super::{Macro, Preprocessor, SPECIAL, has, is_hash};
use crate::frontend::diagnostic::Span;

fn is_paste(token: &Token) -> bool {
    token.is("##") || token.is("%:%:")
}

impl Preprocessor<'_> {
    /// Whether `#ifdef` finds this name.
    pub(super) fn is_defined(&self, name: Name) -> bool {
        let text = self.names.text(name);
        self.macros.contains_key(&name) || has::OPERATORS.contains(&text) || SPECIAL[..8].contains(&text)
    }

    /// Complains about a name whose meaning is built in.
    pub(super) fn check_special(&mut self, name: Name, span: Span) {
        let text = self.names.text(name);
        if SPECIAL.contains(&text) || has::OPERATORS.contains(&text) || text == "__VA_ARGS__" {
            let message = format!("another meaning of `{text}` is not modelled");
            self.unsupported("directive", span, message);
        }
    }

    pub(super) fn define(&mut self, line: &[Token], span: Span) {
        let Some(name) = line.first().and_then(Token::ident) else {
            return self.error("directive", span, "`#define` needs a name");
        };
        if self.names.text(name) == "defined" {
            return self.error("directive", span, "`defined` cannot be a macro");
        }
        self.check_special(name, span);
        let function_like = line.get(1).is_some_and(|t| t.is("(") && !t.spaced);
        let (parameters, variadic, body) = if function_like {
            let Some((parameters, variadic, at)) = self.macro_parameters(line, span) else { return };
            (Some(parameters), variadic, &line[at..])
        } else {
            (None, false, &line[1..])
        };
        if let (Some(edge), _) | (_, Some(edge)) =
            (body.first().filter(|t| is_paste(t)), body.last().filter(|t| is_paste(t)))
        {
            return self.error("directive", edge.span, "`##` stands between two parts of a macro");
        }
        for (i, token) in body.iter().enumerate() {
            let parameter =
                |t: &Token| t.ident().is_some_and(|n| parameters.iter().flatten().any(|p| *p == n));
            if parameters.is_some() && is_hash(*token) && !body.get(i + 1).is_some_and(parameter) {
                return self.error("directive", token.span, "`#` stands before a parameter of the macro");
            }
            let text = token.ident().map_or("", |n| self.names.text(n)).to_owned();
            if text == "__VA_OPT__" && variadic {
                self.unsupported("directive", token.span, "`__VA_OPT__` is not modelled");
            }
            if text == "__VA_ARGS__" && !parameter(token) {
                return self.error("directive", token.span, "`__VA_ARGS__` belongs to a macro with `...`");
            }
        }
        let mut body = body.to_vec();
        // The blanks before a body do not belong to it.
        if let Some(first) = body.first_mut() {
            first.spaced = false;
        }
        self.macros.insert(name, Macro { parameters, variadic, body });
    }

    /// The parameters of a macro, whether the last takes all further arguments, and where the body begins.
    fn macro_parameters(&mut self, line: &[Token], span: Span) -> Option<(Vec<Name>, bool, usize)> {
        let (mut parameters, mut variadic, mut separated) = (Vec::new(), false, true);
        for (at, token) in line.iter().enumerate().skip(2) {
            match token.kind {
                Kind::Punct(")") if !separated || parameters.is_empty() => {
                    return Some((parameters, variadic, at + 1));
                }
                Kind::Punct(",") if !separated && !variadic => separated = true,
                Kind::Punct("...") if separated && !variadic => {
                    variadic = true;
                    separated = false;
                    parameters.push(self.names.intern("__VA_ARGS__"));
                }
                // GNU: `rest...` is a name for the further arguments.
                Kind::Punct("...") if !variadic => variadic = true,
                Kind::Ident(parameter)
                    if separated
                        && !variadic
                        && !parameters.contains(&parameter)
                        && self.names.text(parameter) != "__VA_ARGS__" =>
                {
                    separated = false;
                    parameters.push(parameter);
                }
                _ => {
                    self.error("directive", token.span, "a macro's parameters are distinct names");
                    return None;
                }
            }
        }
        self.error("directive", span, "the macro's parameter list is not closed");
        None
    }
}
