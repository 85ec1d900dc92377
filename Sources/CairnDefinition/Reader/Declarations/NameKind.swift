/// The kinds of parts that have names in a definition.
enum NameKind: String, Hashable, Sendable {
  case screen, flow, step, fact, set, param, timer
  /// A name that may belong to a screen or to a flow.
  case node = "screen or flow"

  /// Whether a name of this kind may be declared: a letter, then letters, digits, `_` and `-`. Names of steps may contain dots.
  func allows(_ name: String) -> Bool {
    self == .step
      ? name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { NameKind.isIdentifier(String($0)) }
      : NameKind.isIdentifier(name)
  }

  /// Whether a text is a letter, followed by letters, digits, `_` and `-`.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, Character(UnicodeScalar(first)).isLetter, first < 0x80 else { return false }
    return text.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || $0 == "_" || $0 == "-" }
  }
}
