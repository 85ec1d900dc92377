import CairnRuntime
package import CairnStore
import Logging

// Definitions that other nodes publish. Nodes that share a journal read no folder: the newest edition of each app is what all of them serve.
extension Publisher {
  /// The nanoseconds between two looks for new editions. Starts of sessions look by themselves.
  private static let interval: UInt64 = 2_000_000_000

  /// Serves the newest edition of each app, and looks for newer ones from now on. Runs on the calling thread, before the service accepts requests.
  package func beginShared() throws(StoreFault) {
    try adoptAll()
    let looks = contents
    let thread = try? NamedThread("cairn-editions") { [weak self] in
      while looks.wait(until: Monotonic.now() + Self.interval, { $0.isOpen ? nil : false }) ?? true { self?.refresh { _ in } }
    }
    if thread == nil { log.warning("new definitions of other nodes are found only when a session is started") }
  }

  /// Serves what other nodes have published before this call, then calls `reply` on any thread.
  package func refresh(_ reply: @escaping @Sendable (StoreFault?) -> Void) {
    store.editions { [self] result in
      switch result {
      case .failure(let fault): reply(fault)
      case .success(let newest):
        let isServed = notes.withLock { notes in newest.allSatisfy { notes.newest[$0.app] == $0 || notes.refused[$0.app] == $0 } }
        if isServed { return reply(nil) }
        if let fault = offer(.adopt(reply)) { reply(fault) }
      }
    }
  }

  /// Serves the newest edition of each app. Runs on the thread of the job.
  func adoptAll() throws(StoreFault) {
    let newest: [Edition] = try answer { store.editions(reply: $0) }
    for edition in newest {
      do throws(StoreFault) {
        try adopt(edition)
      } catch {
        // Other apps are served all the same. A newer version of the program may have published what this one cannot read.
        let isNew = notes.withLock { $0.refused.updateValue(edition, forKey: edition.app) != edition }
        if isNew { log.error("the newest definition is not served", metadata: ["app": "\(edition.app)", "reason": "\(error)"]) }
      }
    }
  }

  /// Serves the newest edition of an app. Runs on the thread of the job.
  func adoptNewest(of app: String) throws(StoreFault) {
    let newest: [Edition] = try answer { store.editions(reply: $0) }
    for edition in newest where edition.app == app { try adopt(edition) }
  }

  /// Whether the newest edition of an app cannot be read by this version of the program, so that no session of the app starts here.
  func isRefused(_ app: String) -> Bool { notes.withLock { $0.refused[app] != nil } }

  private func adopt(_ edition: Edition) throws(StoreFault) {
    guard edition != notes.withLock({ $0.newest[edition.app] }) else { return }
    let definition: PinnedDefinition? = try answer { store.definition(edition.definition, reply: $0) }
    if let definition {
      var shelf = catalog.shelf
      shelf.put(edition, definition)
      catalog.replace(with: shelf)
    }
    // Last, because from here on `refresh` takes the edition as served.
    notes.withLock { notes in
      notes.newest[edition.app] = edition
      notes.refused[edition.app] = nil
    }
  }
}
