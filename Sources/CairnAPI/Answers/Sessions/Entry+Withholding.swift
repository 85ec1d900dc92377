package import CairnCore

extension Entry.Cause {
  /// The cause with only the parts that the session's own client may read. An operator may have set facts that clients neither see nor set: `placeholder`
  /// replaces their values; if it is `nil`, they are omitted. Without a definition all values are withheld.
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
