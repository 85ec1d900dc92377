import CairnDefinition
import CairnSQLite
import CairnServer
import CairnStore

/// The output of `cairn verify`.
struct VerifyReport {
  /// One line per fault.
  let faults: [String]
  /// The last line of the output.
  let summary: String

  /// Checks the whole database.
  init(_ journal: SQLiteJournal, path: String, opensSecrets: Bool) throws(JournalError) {
    let check = try DatabaseCheck(journal, opensSecrets: opensSecrets) {
      PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0))
    }
    faults = check.faults
    let secrets = opensSecrets ? "\(check.secrets) secrets" : "secrets left closed"
    let result = faults.isEmpty ? "whole" : check.damaged.isEmpty ? "damaged" : "\(check.damaged.count) sessions damaged"
    summary = "\(path): \(check.sessions) sessions, \(check.definitions) definitions, \(secrets): \(result)"
  }
}
