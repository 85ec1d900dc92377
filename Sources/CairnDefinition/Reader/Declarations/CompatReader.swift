import CairnCore

/// Reads the settings and words for apps that follow another navigation system.
struct CompatReader: PartReader {
  let context: ReaderContext

  /// Reads `compat`. It must be read first, because declarations and handlers depend on it.
  func compat(_ element: Element?) -> Compat {
    var compat = Compat()
    guard let element, let fields = fields(of: element, "`compat`", .compat) else { return compat }
    compat.unhandled = word(fields["unhandled"], "`unhandled`") ?? .parent
    compat.covered = word(fields["covered"], "`covered`") ?? .refuse
    if let emits = fields["emits"] {
      compat.emitsAny = true
      if emits.text != "any" { report("`emits` of `compat` must be `any`, not \(described(emits))", at: emits.position) }
    }
    for element in oneOrMore(fields["words"]) {
      if let word: CompatWord = word(element, "each of the `words` of `compat`") { compat.words.insert(word) }
    }
    return compat
  }
}

extension PartReader {
  /// Reports a word that the file's `compat` does not list.
  func checkCompat(_ word: CompatWord, at position: Position) {
    guard !context.compat.words.contains(word) else { return }
    report(
      "`\(word.rawValue)` is a word for apps that were written for another navigation system: \(word.remedy), or add `compat: { words: [\(word.rawValue)] }`",
      at: position)
  }
}
