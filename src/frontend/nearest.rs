//! "Did you mean": the word of a vocabulary that is nearest to a misspelled one.

/// The known word that is so near to `word` that it is probably meant; the first of several that are equally near.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given: Vec<char> = word.to_lowercase().chars().take(MAX_LENGTH).collect();
    let allowed = (given.len() / 3).clamp(1, 3);
    let rated =
        known.into_iter().map(|k| (distance(&given, &k.to_lowercase().chars().collect::<Vec<_>>()), k));
    rated
        .filter(|(far, k)| *far <= allowed && *far < k.chars().count())
        .min_by_key(|(far, _)| *far)
        .map(|(_, k)| k)
}

/// Help for a misspelled word.
pub(crate) fn did_you_mean(word: &str, prefix: &str, known: &[&str]) -> Option<String> {
    nearest(word, known.iter().copied()).map(|near| format!("did you mean `{prefix}{near}`?"))
}

/// No word of a vocabulary is longer.
const MAX_LENGTH: usize = 40;

/// How many letters have to be put in, left out, changed or exchanged with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["list", "lseg", "valid", "old", "result", "requires", "ensures"];
        let near = |word| nearest(word, known);
        assert_eq!(near("lst"), Some("list"));
        assert_eq!(near("Old"), Some("old"));
        assert_eq!(near("resutl"), Some("result"));
        assert_eq!(near("require"), Some("requires"));
        assert_eq!(near("ensure"), Some("ensures"));
        assert_eq!(near("vaild"), Some("valid"));
        assert_eq!(near("x"), None);
        assert_eq!(near("separated"), None);
        assert_eq!(near(&"l".repeat(10_000)), None);
    }
}
