import CairnDefinition
import CairnSQLite
import CairnServer
import CairnStore

/// What `cairn verify` found.
struct VerifyReport {
  private(set) var faults: [String] = []
  private let path: String
  private var sessions = 0
  private var damaged = 0
  private var definitions = 0
  private var secrets: Int?

  /// A line for the end.
  var summary: String {
    let opened = secrets.map { "\($0) secrets" } ?? "secrets left closed"
    let result = faults.isEmpty ? "whole" : damaged > 0 ? "\(damaged) sessions damaged" : "damaged"
    return "\(path): \(sessions) sessions, \(definitions) definitions, \(opened): \(result)"
  }

  /// Looks at all of it. What cannot be read is a fault, and the rest is looked at all the same.
  init(_ journal: SQLiteJournal, path: String, opensSecrets: Bool) throws(JournalError) {
    self.path = path
    let check = SessionCheck(
      journal, definitions: { PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0)) }, opensSecrets: opensSecrets)
    try note("pages") { () throws(JournalError) in try journal.integrityFaults().map { "pages: \($0)" } }
    var hashes: [String] = []
    try note("definitions") { () throws(JournalError) in
      hashes = try journal.definitionHashes()
      return []
    }
    definitions = hashes.count
    for hash in hashes {
      try note("definition \(hash)") { () throws(JournalError) in try check.fault(ofDefinition: hash).map { [$0] } ?? [] }
    }
    try look(at: journal, check)
    if opensSecrets {
      var count = 0
      defer { secrets = count }
      try note("secrets") { () throws(JournalError) in
        let found = try journal.secretFaults()
        count = found.count
        return found.sessions.map { "session \($0): a secret is not sealed with these keys, or was changed" }
      }
    }
  }

  private mutating func look(at journal: SQLiteJournal, _ check: SessionCheck) throws(JournalError) {
    var place = 0
    while true {
      var next: [(place: Int, id: String)] = []
      try note("the list of sessions") { () throws(JournalError) in
        next = try journal.roster(after: place, limit: 100)
        return []
      }
      guard let last = next.last else { return }
      place = last.place
      for (_, id) in next {
        sessions += 1
        if let fault = try check.fault(of: id) {
          damaged += 1
          faults.append("session \(id): \(fault)")
        }
      }
    }
  }

  /// Adds what is found; damage on the way is found too.
  private mutating func note(_ what: String, _ find: () throws(JournalError) -> [String]) throws(JournalError) {
    do {
      faults += try find()
    } catch {
      switch error {
      case .corrupt(let text), .unreadable(let text): faults.append("\(what): \(text)")
      case .busy, .full, .readOnly, .conflict, .tooLarge, .io, .closed: throw error
      }
    }
  }
}
