import CairnCore

// The wording of messages. Literal text of a definition, such as a member's name or a value, is in backticks.

/// A description for messages: the value of a short scalar, otherwise the kind of the element.
func described(_ element: Element) -> String {
  switch element.content {
  case .scalar(.null): "`null`"
  case .scalar(let value): value.shortText.count <= 40 ? "`\(value.shortText)`" : article(element.kindName)
  default: article(element.kindName)
  }
}

func article(_ noun: String) -> String {
  noun == "null" ? noun : "aeiou".contains(noun.first ?? "x") ? "an \(noun)" : "a \(noun)"
}

/// Joins the words, each in backticks, as in `a`, `b` and `c`, with `conjunction` before the last word. Returns `nothing` if there are no words.
func english(_ words: [String], _ conjunction: String) -> String {
  let words = words.map { "`\($0)`" }
  guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
  return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// Joins up to 20 words with `and`. Of a longer list, returns the first 20 words, followed by `…`. Each word is in backticks.
func listed(_ words: [String]) -> String {
  words.count <= 20 ? english(words, "and") : words.prefix(20).map { "`\($0)`" }.joined(separator: ", ") + ", …"
}
