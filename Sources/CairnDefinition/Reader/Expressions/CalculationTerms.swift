/// The terms of a calculation such as `$a + $b - 1`, `$(10 - $a)` or `$count(content.rows)`, as texts.
struct CalculationTerms {
  /// The terms, each with the sign before it. The first one has the sign `+`.
  private(set) var terms: [(isNegative: Bool, text: String)] = []
  /// Whether the whole text is in parentheses after `$`, so that its first term may be a number.
  let isInParentheses: Bool

  /// Splits a text at each ` + ` and ` - ` outside of parentheses. Returns `nil` for a text that is a reference or a literal.
  init?(_ text: String) {
    guard text.hasPrefix("$"), !text.hasPrefix("$$") else { return nil }
    isInParentheses = text.hasPrefix("$(") && text.hasSuffix(")")
    let inner = isInParentheses ? text.dropFirst(2).dropLast() : text[...]
    var (term, isNegative, depth) = ("", false, 0)
    for word in inner.split(separator: " ", omittingEmptySubsequences: false) {
      if depth == 0, word == "+" || word == "-", !term.isEmpty {
        terms.append((isNegative, term))
        (term, isNegative) = ("", word == "-")
        continue
      }
      depth += word.count { $0 == "(" } - word.count { $0 == ")" }
      term += term.isEmpty ? String(word) : " " + word
    }
    terms.append((isNegative, term))
    if !isInParentheses, terms.count == 1, !text.hasPrefix("$count(") { return nil }
  }
}
