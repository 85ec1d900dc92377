package import CairnCore

extension Entry.Cause {
  /// The cause with only the parts that the session's own client may read. Some facts are neither shown to clients nor set by them; only an
  /// operator can have set them. Such a fact gets the value `placeholder`, or is omitted if `placeholder` is `nil`. If `definition` is
  /// `nil`, this applies to all facts.
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
