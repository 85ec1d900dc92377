/// Checks all definitions, documents and sessions of a journal.
package struct JournalCheck {
  /// The faults, one line each.
  package private(set) var faults: [String] = []
  package private(set) var sessions = 0
  package private(set) var definitions = 0
  /// The ids of sessions with faults.
  package private(set) var damaged: Set<String> = []

  /// Runs the check. `definitions` parses a canonical text. `opensSecrets` is whether the journal has the keys to decrypt secrets.
  /// `progress` is called before each session with the number of sessions checked so far. Throws if the journal cannot be read, for example
  /// because it is closed or busy.
  package init(
    _ journal: any Journal, opensSecrets: Bool, progress: (_ sessions: Int) -> Void = { _ in },
    definitions read: @escaping @Sendable (String) throws -> PinnedDefinition
  ) throws(JournalError) {
    let check = SessionCheck(journal, definitions: read, opensSecrets: opensSecrets)
    for hash in try journal.documents.definitions() {
      definitions += 1
      if let fault = try check.fault(ofDefinition: hash) { faults.append(fault) }
    }
    faults += try check.documentFaults()
    var place = 0
    while true {
      let next = try journal.sessions.roster(after: place, limit: 100)
      guard let last = next.last?.place else { return }
      place = last
      for (_, id) in next {
        progress(sessions)
        sessions += 1
        guard let fault = try check.fault(of: id) else { continue }
        faults.append("session \(id): \(fault)")
        damaged.insert(id)
      }
    }
  }
}
