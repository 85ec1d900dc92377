import CairnJournal
import CairnRuntime
package import CairnStore
import Logging

// Definitions that other nodes publish. Nodes that share a journal read no folder: the newest edition of each app is what all of them serve.
extension Publisher {
  /// The interval at which new editions are read, in nanoseconds. The start of a session also reads them.
  private static let interval: UInt64 = 2_000_000_000

  /// Serves the newest edition of each app, and starts a thread that serves newer ones. Blocks the calling thread. Must be called before the service accepts
  /// requests.
  package func beginShared() throws(StoreFault) {
    try adoptAll()
    let looks = contents
    let thread = try? NamedThread("cairn-editions") { [weak self] in
      while looks.wait(until: Monotonic.now() + Self.interval, { $0.isOpen ? nil : false }) ?? true { self?.refresh { _ in } }
    }
    if thread == nil { log.warning("new definitions of other nodes are only found when a session is started") }
  }

  /// Serves what other nodes have published before this call, then calls `reply` on any thread, with the fault if the editions could not be read.
  package func refresh(_ reply: @escaping @Sendable (StoreFault?) -> Void) {
    store.releases.editions { [self] result in
      switch result {
      case .failure(let fault): reply(fault)
      case .success(let newest):
        let isServed = notes.withLock { notes in newest.allSatisfy { notes.newest[$0.app] == $0 || notes.refused[$0.app] == $0 } }
        if isServed { return reply(nil) }
        if let fault = offer(.adopt(reply)) { reply(fault) }
      }
    }
  }

  /// Serves the newest edition of each app; logs and skips editions that this version cannot read. Called on the thread of jobs, and by `beginShared` on its
  /// caller's thread.
  func adoptAll() throws(StoreFault) {
    let newest: [Edition] = try answer { store.releases.editions(reply: $0) }
    for edition in newest {
      do throws(StoreFault) {
        try adopt(edition)
      } catch {
        // Other apps are still served. A newer version of the program may have published an edition that this version cannot read.
        let isNew = notes.withLock { $0.refused.updateValue(edition, forKey: edition.app) != edition }
        if isNew { log.error("the newest definition is not served", metadata: ["app": "\(edition.app)", "reason": "\(error)"]) }
      }
    }
  }

  /// Serves the newest edition of an app. Called on the thread of jobs.
  func adoptNewest(of app: String) throws(StoreFault) {
    let newest: [Edition] = try answer { store.releases.editions(reply: $0) }
    for edition in newest where edition.app == app { try adopt(edition) }
  }

  /// Whether this version of the program cannot read the newest edition of an app. No session of the app can then start on this node.
  func isRefused(_ app: String) -> Bool { notes.withLock { $0.refused[app] != nil } }

  private func adopt(_ edition: Edition) throws(StoreFault) {
    guard edition != notes.withLock({ $0.newest[edition.app] }) else { return }
    let definition: PinnedDefinition? = try answer { store.releases.definition(edition.definition, reply: $0) }
    if let definition {
      var shelf = catalog.shelf
      shelf.put(edition, definition)
      catalog.replace(with: shelf)
    }
    // Last, because `refresh` treats the edition as served from here on.
    notes.withLock { notes in
      notes.newest[edition.app] = edition
      notes.refused[edition.app] = nil
    }
  }
}
