package import CairnCore

extension Entry.Cause {
  /// Returns the cause without the facts that the session's own client may not read. These facts are neither shown to clients nor set by
  /// them, so only an operator can have set them. Each of them gets the value `placeholder`, or is omitted if `placeholder` is `nil`. If
  /// `definition` is `nil`, all facts are withheld.
  package func withheld(by definition: Definition?, placeholder: Value?) -> Entry.Cause {
    func known(_ facts: [String: Value]) -> [String: Value] {
      Dictionary(
        uniqueKeysWithValues: facts.compactMap { name, value in
          let isKnown = definition?.facts.value(exactly: name).map { $0.isShown || $0.isClients } ?? false
          return isKnown ? (name, value) : placeholder.map { (name, $0) }
        })
    }
    switch self {
    case .action(.facts(let facts)): return .action(.facts(known(facts)))
    case .creation(var creation):
      creation.facts = known(creation.facts)
      return .creation(creation)
    case .action, .replacement: return self
    }
  }
}
