import CairnDefinition
import CairnJournal
import CairnRuntime
import CairnStore
import Logging

// Publishes definitions from the folder. These functions run on the publisher's job thread. Before the service accepts requests, `begin`
// calls them on its caller's thread.
extension Publisher {
  /// Reads the folder, serves its valid definitions, and stores them as editions of their apps. Logs changes and errors.
  func readFolder(_ trigger: Trigger) {
    let (source, folder) = notes.withLock { ($0.source, $0.folder) }
    let reading = source()
    let before = catalog.shelf
    var shelf = before
    shelf.take(reading, of: folder)
    catalog.replace(with: shelf)
    liftRefusals(by: shelf)
    logWarnings(of: reading, shelf.faults, before.faults, again: trigger == .signal)
    for file in before.faults.keys.sorted() where shelf.faults[file] == nil {
      log.notice("definition corrected", metadata: ["file": "\(file)"])
    }
    let changes = ShelfChange.all(from: before, to: shelf)
    if trigger == .signal || (trigger == .change && !changes.isEmpty) {
      let text = changes.isEmpty ? "nothing" : changes.map(\.text).joined(separator: "; ")
      log.notice("definitions read", metadata: ["changed": "\(text)", "broken": "\(shelf.faults.count)"])
    }
    noteEditions(of: shelf)
  }

  /// Allows new sessions again of each app whose newest definition could not be read, if the app's file in the folder has changed since the
  /// refusal.
  private func liftRefusals(by shelf: Shelf) {
    notes.withLock { notes in
      notes.refused = notes.refused.filter { app, refusal in
        guard let filed = shelf.filed[app]?.definition.hash else { return true }
        return filed == refusal.above
      }
    }
  }

  /// Logs the errors and warnings of each file once per version of the file's text. If `again` is `true`, because an operator sent a
  /// signal, logs all of them again.
  private func logWarnings(of reading: FolderReading, _ faults: [String: [String]], _ before: [String: [String]], again: Bool) {
    let reported = notes.withLock { notes in
      defer { notes.reported = Dictionary(reading.files.map { ($0.name, $0.version) }) { first, _ in first } }
      return notes.reported
    }
    let fresh = reading.files.filter { again || reported[$0.name] != $0.version }
    for case .success(let loaded) in fresh.map(\.content) {
      for warning in loaded.warnings { log.warning("definition", metadata: ["warning": "\(warning)"]) }
    }
    // The problems are compared too, because a file's problems can change without a change of its text: another file may define the same
    // app.
    for (file, problems) in faults.sorted(by: { $0.key < $1.key })
    where again || before[file] != problems || fresh.contains(where: { $0.name == file }) {
      for problem in problems { log.error("definition", metadata: ["problem": "\(problem)"]) }
    }
  }

  /// Stores the folder's served definitions as editions of their apps, unless they are the newest editions already. If this fails, the next
  /// reading of the folder tries again.
  func noteEditions(of shelf: Shelf) {
    let (newest, refused) = notes.withLock { ($0.newest, $0.refused) }
    let fresh = shelf.served.filter { app, definition in
      !shelf.isPut(app) && refused[app] == nil && (newest[app]?.definition != definition.hash || newest[app]?.author != nil)
    }
    guard !fresh.isEmpty else { return }
    let now = store.clock.now()
    let editions = fresh.map { app, definition in Edition(app: app, definition: definition.hash, since: now) }.sorted { $0.app < $1.app }
    do throws(StoreFault) {
      try keep(editions, texts: Dictionary(fresh.values.map { ($0.hash, $0.text) }) { first, _ in first })
    } catch {
      log.error("definitions were read, but not recorded in the journal", metadata: ["reason": "\(error)"])
    }
  }

  /// Stores editions, the canonical texts of their definitions by hash, and a rollout, if given. One commit stores all of them. If another
  /// node has published one of the apps, serves the newest edition of this app and throws `outdated`.
  func keep(_ editions: [Edition], texts: [String: String], with rollout: RolloutChange? = nil) throws(StoreFault) {
    let known = notes.withLock { $0.newest }
    do {
      try answer { (reply: @escaping @Sendable (Result<Void, StoreFault>) -> Void) in
        store.releases.publish(editions, texts: texts, after: known, with: rollout, reply: reply)
      }
    } catch {
      if case .outdated(let app) = error { try adoptNewest(of: app) }
      throw error
    }
    notes.withLock { notes in
      for edition in editions {
        notes.newest[edition.app] = edition
        notes.refused[edition.app] = nil
      }
    }
  }
}
