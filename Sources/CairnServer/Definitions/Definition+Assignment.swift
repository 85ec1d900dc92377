import CairnCore
import CairnJournal

extension Definition {
  /// The facts that the service assigns to a new session. They depend only on the session's label or, if it has no label, on its id: sessions with the same
  /// label get the same values. The values of two facts are independent.
  func assigned(label: String?, id: String) -> [String: Value] {
    var assigned: [String: Value] = [:]
    for (name, fact) in facts where !fact.shares.isEmpty {
      var hash = SipHash(SipHash.Key(from: Array("cairn assign".utf8), for: name))
      hash.combine(field: Array((label ?? id).utf8))
      var rest = Int(hash.finish() % UInt64(fact.shares.reduce(0, +)))
      for (value, share) in zip(fact.type.allowed?.values ?? [], fact.shares) {
        if rest < share {
          assigned[name] = value
          break
        }
        rest -= share
      }
    }
    return assigned
  }
}
