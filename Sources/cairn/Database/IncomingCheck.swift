import CairnJournal
import CairnDefinition
import CairnSQLite
import CairnServer
import CairnStore

/// Checks a database whose contents a command copies or restores. Reports the faults that `cairn verify` reports, and the reasons for which
/// a PUT of the definitions or an import of the sessions would be refused.
struct IncomingCheck {
  private let limits: DefinitionLimits
  private let opensSecrets: Bool

  /// Creates a check with the limits of the service's configuration. `opensSecrets` is whether the journal has the keys to decrypt secrets.
  init(_ configuration: Configuration, opensSecrets: Bool) {
    limits = configuration.service.definitions
    self.opensSecrets = opensSecrets
  }

  /// Returns one line per fault, and shows the progress. Throws `closed` once `isWanted` returns `false`.
  func findings(in journal: SQLiteJournal, while isWanted: @escaping () -> Bool) throws(JournalError) -> [String] {
    let line = ProgressLine()
    defer { line.end() }
    return try DatabaseCheck(
      journal, opensSecrets: opensSecrets, importChecks: ImportChecks(limits: limits), while: isWanted, progress: line.checking(journal)
    ) {
      PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0))
    }.faults
  }
}
