/// The newest edition of each app, as stored in the journal.
package struct StoredEditions: Hashable, Sendable {
  /// A stored edition and its number, which is larger than those of the app's earlier ones.
  package struct Row: Hashable, Sendable {
    package var edition: Edition
    package var number: Int

    package init(_ edition: Edition, number: Int) {
      self.edition = edition
      self.number = number
    }
  }

  /// The newest intact row of each app.
  private var newest: [String: Row] = [:]
  /// The damaged rows: their contents differ from what was written.
  package private(set) var damagedRows: [Row]

  /// `rows` may contain earlier editions of an app.
  package init(_ rows: [Row] = [], damaged: [Row] = []) {
    damagedRows = damaged
    for row in rows where newest[row.edition.app].map({ $0.number < row.number }) ?? true { newest[row.edition.app] = row }
  }

  /// The newest edition of each app, sorted by the app's name. Contains no app whose newest edition is damaged.
  package var intact: [Edition] {
    let damaged = damaged
    return newest.values.map(\.edition).filter { damaged[$0.app] == nil }.sorted { $0.app < $1.app }
  }

  /// The faults of the apps whose newest edition may be a damaged row, as texts for the log.
  package var damaged: [String: String] {
    var found: [String: String] = [:]
    for row in damagedRows {
      // The number or the time may be what is damaged. A row is only known to be an earlier one if both are lower.
      if let newest = newest[row.edition.app], row.number < newest.number, row.edition.since < newest.edition.since { continue }
      found[row.edition.app] = "edition \(row.number) is not what was written"
    }
    return found
  }

  /// Replaces the app of each damaged row by the app that its definition names, because the damage may be in the row's own name of the app. `app` returns the
  /// app of a definition by its hash.
  package mutating func correctApps(_ app: (_ definition: String) -> String?) {
    for index in damagedRows.indices {
      if let app = app(damagedRows[index].edition.definition) { damagedRows[index].edition.app = app }
    }
  }

  /// Throws `.unreadable` if the newest edition of an app is damaged. Damaged editions of other apps are ignored.
  package func require(_ app: String) throws(JournalError) {
    if let fault = damaged[app] { throw .unreadable("the app \(app): \(fault)") }
  }

  /// The newest edition of an app; `nil` if it has none. Throws `.unreadable` if it is damaged.
  package func edition(of app: String) throws(JournalError) -> Edition? {
    try require(app)
    return newest[app]?.edition
  }
}
