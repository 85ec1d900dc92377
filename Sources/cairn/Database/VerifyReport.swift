import CairnCore
import CairnDefinition
import CairnJournal
import CairnSQLite
import CairnServer

extension ProgressLine {
  /// Returns a function that shows the progress of a check, from the number of sessions checked so far.
  func checking(_ journal: any Journal) -> (_ sessions: Int) -> Void {
    guard isTerminal else { return { _ in } }
    // Counting may fail in a damaged database. The check then reports the damage.
    let total = try? journal.sessions.count()
    let known = total.map { " of \(CountText.of($0, "session"))" } ?? ""
    return { [self] done in show("checked: \(done)\(known)", done: done, of: total) }
  }
}

/// The output of `cairn verify`.
struct VerifyReport {
  /// One line per fault.
  let faults: [String]
  /// The last line of the output.
  let summary: String

  /// Checks the whole database.
  init(_ journal: SQLiteJournal, path: String, opensSecrets: Bool, _ line: ProgressLine) throws(JournalError) {
    let check = try DatabaseCheck(journal, opensSecrets: opensSecrets, progress: line.checking(journal)) {
      PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0))
    }
    let secrets = opensSecrets ? CountText.of(check.secrets, "secret") : "secrets were not checked"
    self.init(path, check.faults, damaged: check.damaged.count, "\(Self.counts(check.sessions, check.definitions)), \(secrets)")
  }

  /// Checks the definitions and sessions of a journal. `further` contains the faults that other checks have found. The report lists them
  /// first.
  init(_ journal: any Journal, name: String, opensSecrets: Bool, further: [String], _ line: ProgressLine) throws(JournalError) {
    let check = try JournalCheck(journal, opensSecrets: opensSecrets, progress: line.checking(journal)) {
      PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0))
    }
    let secrets = opensSecrets ? "secrets decrypted" : "secrets were not checked"
    let counts = "\(Self.counts(check.sessions, check.definitions)), \(secrets)"
    self.init(name, further + check.faults, damaged: check.damaged.count, counts)
  }

  private static func counts(_ sessions: Int, _ definitions: Int) -> String {
    "\(CountText.of(sessions, "session")), \(CountText.of(definitions, "definition"))"
  }

  private init(_ name: String, _ faults: [String], damaged: Int, _ counts: String) {
    self.faults = faults
    let result = faults.isEmpty ? "no damage" : damaged == 0 ? "damaged" : "\(CountText.of(damaged, "session")) damaged"
    summary = "\(name): \(counts): \(result)"
  }
}
