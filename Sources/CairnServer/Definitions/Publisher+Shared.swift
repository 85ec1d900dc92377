import CairnJournal
import CairnRuntime
package import CairnStore
import Logging

// Adopts definitions that other nodes publish. Nodes that share a journal read no folder; all of them serve the newest edition of each app.
extension Publisher {
  /// The interval at which new editions are read, in nanoseconds. New editions are also read before a session is created.
  private static let interval: UInt64 = 2_000_000_000

  /// Serves the newest edition of each app, and starts a thread that serves newer editions. Blocks the calling thread. Must be called
  /// before the service accepts requests.
  package func beginShared() throws(StoreFault) {
    try adoptAll()
    let looks = contents
    let thread = try? NamedThread("cairn-editions") { [weak self] in
      while looks.wait(until: Monotonic.now() + Self.interval, { $0.isOpen ? nil : false }) ?? true { self?.refresh { _ in } }
    }
    if thread == nil { log.warning("no thread could be started; new definitions of other nodes are found only when a request needs them") }
  }

  /// Serves the definitions that other nodes have published before this call. Then calls `reply` on any thread, with the fault if the
  /// editions could not be read.
  package func refresh(_ reply: @escaping @Sendable (StoreFault?) -> Void) {
    store.releases.editions { [self] result in
      switch result {
      case .failure(let fault): reply(fault)
      case .success(let newest):
        let isKnown = notes.withLock { notes in
          newest.intact.allSatisfy { notes.newest[$0.app] == $0 } && newest.damaged.keys.allSatisfy { notes.refused[$0] != nil }
        }
        if isKnown { return reply(nil) }
        if let fault = offer(.adopt(reply)) { reply(fault) }
      }
    }
  }

  /// Serves the newest edition of each app. If an edition cannot be read, logs the reason and refuses new sessions of its app. Called on
  /// the publisher's job thread, and by `beginShared` on its caller's thread.
  func adoptAll() throws(StoreFault) {
    let newest: StoredEditions = try answer { store.releases.editions(reply: $0) }
    for (app, reason) in newest.damaged { refuse(app, reason) }
    for edition in newest.intact { adopt(edition) }
  }

  /// Serves the newest edition of an app, or refuses new sessions of the app if the edition cannot be read. Called on the publisher's job
  /// thread.
  func adoptNewest(of app: String) throws(StoreFault) {
    let newest: StoredEditions = try answer { store.releases.editions(reply: $0) }
    if let reason = newest.damaged[app] { refuse(app, reason) }
    for edition in newest.intact where edition.app == app { adopt(edition) }
  }

  /// Serves an edition. If its definition cannot be read, for example because a newer version of Cairn published it, no session of the app
  /// is created. Other apps are not affected.
  private func adopt(_ edition: Edition) {
    guard notes.withLock({ edition != $0.newest[edition.app] || $0.refused[edition.app] != nil }) else { return }
    do throws(StoreFault) {
      let definition = try definition(of: edition)
      var shelf = catalog.shelf
      shelf.put(edition, definition)
      catalog.replace(with: shelf)
      notes.withLock { $0.refused[edition.app] = nil }
    } catch {
      refuse(edition.app, "\(error)")
    }
    // This statement must be the last, because afterwards `refresh` regards the edition as served.
    notes.withLock { $0.newest[edition.app] = edition }
  }
}
