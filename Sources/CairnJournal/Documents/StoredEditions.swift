/// Returns the app that a definition names, by the definition's hash; `nil` if there is no such definition.
package typealias DefinitionOwner = (_ definition: String) -> String?

/// The newest edition of each app, as stored in the journal.
package struct StoredEditions: Hashable, Sendable {
  /// A stored edition and its number, which is larger than the numbers of the app's earlier editions.
  struct Row: Hashable, Sendable {
    var edition: Edition
    /// The number of the edition; `Int.min` if the document's name is not a number, because the row is damaged.
    let number: Int
    let isIntact: Bool
    let document: StoredDocument

    /// Reads a row. Returns `nil` if the kind is damaged and the body is not the body of an edition.
    init?(_ document: StoredDocument) {
      // Unreported: the error is ignored here. The row counts as damaged, and is reported with its app.
      let found = try? document.value(Edition.self)
      guard found != nil || document.kind == .edition else { return nil }
      // If the body is damaged, the time of the edition is unknown, and only the number is compared.
      edition = found ?? .blank
      edition.app = document.app
      number = document.name.utf8.count == Self.digits ? Int(document.name) ?? .min : .min
      isIntact = found != nil && document.isIntact
      self.document = document
    }

    /// Whether a row with an app's name belongs to that app. In a damaged row, the name itself may be damaged; in this case, the definition
    /// names the actual app.
    func isOf(_ app: String, _ owner: DefinitionOwner) -> Bool { isIntact || (owner(edition.definition) ?? app) == app }

    private static let digits = 12

    /// The name of an edition's document: the number with leading zeros, so that names are sorted by number.
    static func name(_ number: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
  }

  /// The newest intact row of each app.
  private var newest: [String: Row] = [:]
  /// The damaged rows: their contents differ from what was written.
  private var damagedRows: [Row] = []

  /// Finds the newest intact row of each app and the damaged rows. `rows` may contain several editions of an app.
  init(_ rows: [Row]) {
    for row in rows {
      if !row.isIntact {
        damagedRows.append(row)
      } else if newest[row.edition.app].map({ $0.number < row.number }) ?? true {
        newest[row.edition.app] = row
      }
    }
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
      // The number or the time may be damaged, so a row counts as an earlier one only if both are lower.
      if let newest = newest[row.edition.app], row.number <= newest.number, row.edition.since < newest.edition.since { continue }
      found[row.edition.app] = "edition \(row.document.name) does not match its stored hash"
    }
    return found
  }

  /// Replaces the app of each damaged row by the app that its definition names, because the damage may be in the row's own name of the app.
  package mutating func correctApps(_ owner: DefinitionOwner) {
    for index in damagedRows.indices {
      if let app = owner(damagedRows[index].edition.definition) { damagedRows[index].edition.app = app }
    }
  }

  /// Throws `.unreadable` if the newest edition of the app is damaged. Damaged editions of other apps are ignored.
  package func require(_ app: String) throws(JournalError) {
    if let fault = damaged[app] { throw .unreadable("the app \(app): \(fault)") }
  }

  /// The newest edition of an app; `nil` if the app has no edition. Throws `.unreadable` if the edition is damaged.
  package func edition(of app: String) throws(JournalError) -> Edition? {
    try require(app)
    return newest[app]?.edition
  }
}

extension DocumentJournal {
  /// The newest edition of each app. `StoredEditions.damaged` describes the damaged ones.
  package func editions() throws(JournalError) -> StoredEditions {
    var found = try documents(DocumentQuery(.edition, isOfNewest: true))
    // A row with a damaged name may come after the newest intact edition in the order of the names, and then hides this edition.
    if !found.allSatisfy(\.isIntact) { found = try documents(DocumentQuery(.edition)) }
    return StoredEditions(found.compactMap { StoredEditions.Row($0) })
  }

  /// The newest `Edition.limit` editions of an app, oldest first, without earlier editions that are damaged. Throws `.unreadable` if the
  /// newest edition is damaged. A damaged row whose definition belongs to another app is ignored.
  package func editions(of app: String, owner: DefinitionOwner = { _ in nil }) throws(JournalError) -> [Edition] {
    let rows = try editionRows(of: app).filter { $0.isOf(app, owner) }
    try StoredEditions(rows).require(app)
    return rows.filter(\.isIntact).suffix(Edition.limit).map(\.edition)
  }

  /// Stores editions in order, with the texts of their definitions by hash. Returns when they are on disk. Must be called on the writer's thread.
  ///
  /// If `known` is given, throws `.outdated` and stores nothing if the newest edition of an app is not the known one. `rollout` is stored
  /// in the same commit; throws `.outdated` and stores nothing if the stored rollout of its app does not have the version that the change
  /// replaces. Deletes damaged editions of the apps. A damaged edition whose definition belongs to another app is not deleted, because it
  /// prevents that app from falling back to an earlier edition.
  package func publish(
    _ editions: [Edition], texts: [String: String], after known: KnownEditions? = nil, with rollout: RolloutChange? = nil,
    owner: DefinitionOwner = { _ in nil }
  ) throws(JournalError) {
    var changes: [DocumentChange] = []
    for app in Set(editions.map(\.app)).sorted() {
      let all = try editionRows(of: app)
      let rows = all.filter { $0.isOf(app, owner) }
      let intact = rows.filter(\.isIntact)
      // If the newest edition is damaged, no publisher can know it, so it is not compared.
      let isDamaged = StoredEditions(rows).damaged[app] != nil
      if let known, !isDamaged, intact.last?.edition != known[app] { throw .outdated(app: app) }
      let new = editions.filter { $0.app == app }.suffix(Edition.limit)
      let damaged = rows.filter { !$0.isIntact && $0.document.kind == .edition && $0.document.isNamed }
      for row in damaged + intact.dropLast(Edition.limit - new.count) { changes.append(DocumentChange(deleting: row.document, .edition)) }
      var number = intact.last?.number ?? 0
      for edition in new {
        // The number is part of the row's key, so two nodes cannot store the same number. The number of a damaged row is not stored again, even if this
        // commit deletes the row.
        repeat { number += 1 } while all.contains { $0.number == number }
        changes.append(DocumentChange(.edition, app: app, name: StoredEditions.Row.name(number), known: 0, value: edition))
      }
    }
    if let rollout { changes.append(rollout.document) }
    try store(changes, texts: texts)
  }

  private func editionRows(of app: String) throws(JournalError) -> [StoredEditions.Row] {
    try documents(DocumentQuery(.edition, app: app)).compactMap { StoredEditions.Row($0) }
  }
}
