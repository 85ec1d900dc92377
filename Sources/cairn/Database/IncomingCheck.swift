import CairnJournal
import CairnDefinition
import CairnSQLite
import CairnServer
import CairnStore

/// The check of a database that a command brings in: finds what `cairn verify` finds, and what a put of its definitions or an import of its sessions would
/// be refused for.
struct IncomingCheck {
  private let limits: DefinitionLimits
  private let opensSecrets: Bool

  /// `limits` are those of the service.
  init(_ configuration: Configuration, opensSecrets: Bool) {
    limits = configuration.service.definitions
    self.opensSecrets = opensSecrets
  }

  /// A line per fault. Throws `closed` once `isWanted` returns `false`.
  func findings(in journal: SQLiteJournal, while isWanted: @escaping () -> Bool) throws(JournalError) -> [String] {
    try DatabaseCheck(journal, opensSecrets: opensSecrets, importChecks: ImportChecks(limits: limits), while: isWanted) {
      PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0))
    }.faults
  }
}
