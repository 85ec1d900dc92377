package import CairnCore
package import CairnJournal
import CairnRuntime
package import CairnStore

/// Wraps a store for tests in calls that block until the response is available.
package final class StoreBench: Sendable {
  package let store: Store
  package let clock: ManualClock
  package let outbound: StubOutbound
  private let seen: Lock<[StoreEvent]>

  /// The limits of the service, except that the background check of sessions runs once a day, because it would interfere with counted reads.
  package static let limits = StoreLimits(sampling: 86_400_000)

  /// Starts a store on the journal.
  package init(
    _ journal: any Journal, clock: ManualClock = ManualClock(), outbound: StubOutbound = StubOutbound(),
    limits: StoreLimits = StoreBench.limits
  ) throws {
    self.clock = clock
    self.outbound = outbound
    let seen = Lock<[StoreEvent]>([])
    self.seen = seen
    let nonces = Lock(0)
    store = Store(
      journal: journal, outbound: outbound, clock: clock, definitions: { try Trial.read($0) },
      migrations: Trial.migrator, limits: limits,
      nonce: {
        nonces.withLock {
          $0 += 1
          return "nonce-\($0)"
        }
      }, log: { event, _ in seen.withLock { $0.append(event) } })
    try store.start()
  }

  /// The events of the store so far.
  package var events: [StoreEvent] { seen.withLock { $0 } }

  @discardableResult package func create(
    _ id: String, definition: PinnedDefinition = Trial.pinned(), label: String? = nil, creation: Creation = Creation(),
    accessToken: String? = nil, arrival: Command? = nil, message: Fingerprint? = nil
  ) throws -> Created {
    try awaiting { reply in
      store.create(
        NewSession(
          id: id, definition: definition, label: label, secretHash: [1, 2, 3], creation: creation, accessToken: accessToken,
          arrival: arrival, message: message), reply: reply)
    }.get()
  }

  @discardableResult package func post(
    _ commands: Command..., to id: String, matching: [Int]? = nil, message: Fingerprint? = nil
  ) throws -> Posted {
    try awaiting { store.post(commands, to: id, matching: matching?.map { RevisionTag($0) }, message: message, reply: $0) }.get()
  }

  /// Posts commands that were made for a definition.
  @discardableResult package func post(_ commands: Command..., madeFor hash: String, byOperator: Bool = false, to id: String) throws
    -> Posted
  {
    try awaiting { store.post(commands, madeFor: ClientDefinition(hash, byOperator: byOperator), to: id, reply: $0) }.get()
  }

  /// Puts a document, and before it the definition to which it leads.
  package func keep(_ migration: StoredMigration, to definition: PinnedDefinition = Trial.second()) throws {
    let edition = Edition(app: migration.app, definition: definition.hash, since: clock.now())
    let versions = try awaiting { store.releases.versions(of: migration.app, reply: $0) }.get()
    let known = versions.editions.last.map { [migration.app: $0] } ?? [:]
    try awaiting { store.releases.publish([edition], texts: [definition.hash: definition.text], after: known, reply: $0) }.get()
    try awaiting { store.releases.keep(migration, reply: $0) }.get()
  }

  @discardableResult package func migrate(
    _ id: String, to definition: PinnedDefinition = Trial.second(), matching: [Int]? = nil
  ) throws -> Posted {
    try awaiting { store.migrate(id, to: definition, environment: [:], matching: matching?.map { RevisionTag($0) }, reply: $0) }.get()
  }

  @discardableResult package func undo(_ id: String, to revision: Int, reason: String? = nil, matching: [Int]? = nil) throws -> Posted {
    try awaiting { store.undo(id, to: revision, reason: reason, matching: matching?.map { RevisionTag($0) }, reply: $0) }.get()
  }

  /// The fault with which a post fails, or `nil` if it succeeds.
  package func fault(_ commands: Command..., to id: String, matching: [Int]? = nil) throws -> StoreFault? {
    switch try awaiting({ store.post(commands, to: id, matching: matching?.map { RevisionTag($0) }, reply: $0) }) {
    case .success: nil
    case .failure(let fault): fault
    }
  }

  /// Posts with a key. The body of the response contains the outcome and the pages, or the code of the rejection.
  @discardableResult package func postOnce(
    _ commands: Command..., to id: String, matching: [Int]? = nil, message: Fingerprint? = nil, key: RequestKey
  ) throws -> GivenAnswer {
    let post = Post(.commands(commands, message: message), to: id, matching: matching?.map { RevisionTag($0) })
    return try awaiting { store.post(post, once: Self.once(key), reply: $0) }.get()
  }

  /// The key of `postOnce`, with the function that makes its response.
  package static func once(_ key: RequestKey) -> Once {
    Once(key) { result, session in
      switch result {
      case .success(let posted):
        let transitions = posted.performed.map { "\($0.transition.reason ?? $0.transition.outcome.rawValue)" }
        let body = Array("\(transitions) \(session.pages)".utf8)
        return (RenderedAnswer(status: 200, head: "ETag: \"\(session.state.revision)\"\n", body: body), "posted")
      case .failure(let fault): return (RenderedAnswer(status: 409, head: "", body: Array(fault.word.utf8)), fault.word)
      }
    }
  }

  /// Creates a session with a key. The body of the response contains the pages.
  @discardableResult package func createOnce(_ id: String, print: Fingerprint, label: String? = nil) throws -> GivenAnswer {
    let new = NewSession(id: id, definition: Trial.pinned(), label: label, secretHash: [1, 2, 3], creation: Creation())
    let creation = KeyedCreation(new, print: print) { created in
      let body = Array("\(created.session.pages) \(created.session.createdAt)".utf8)
      return (RenderedAnswer(status: 201, head: "", body: body, hole: 3), "created")
    }
    return try awaiting { store.create(creation, reply: $0) }.get()
  }

  package func delete(_ id: String, matching: [Int]? = nil) throws {
    try awaiting { store.delete(id, matching: matching?.map { RevisionTag($0) }, reply: $0) }.get()
  }

  package func session(_ id: String) throws -> Session {
    try awaiting { store.session(id, reply: $0) }.get()
  }

  package func session(_ id: String, at revision: Int) throws -> Session {
    try awaiting { store.session(id, at: revision, reply: $0) }.get()
  }

  package func history(of id: String, after: Int? = nil, limit: Int = 1_000) throws -> (items: [HistoryItem], more: Bool) {
    let page = try awaiting { store.history(of: id, after: after, limit: limit, as: { ($0, 0) }, reply: $0) }.get()
    return (page.items, page.more)
  }

  package func sessions(
    app: String? = nil, label: String? = nil, after: String? = nil, limit: Int = 100
  ) throws -> (sessions: [Session], damaged: [String], more: Bool) {
    let query = SessionQuery(app: app, label: label, after: after, limit: limit)
    let list = try awaiting { store.sessions(query, as: { ($0, 0) }, reply: $0) }.get()
    return (list.items, list.damaged, list.next != nil)
  }

  /// Returns once the writer has processed all work that was due or queued before.
  package func settle() throws {
    _ = try awaiting { store.post([Trial.nonsense], to: "nobody", reply: $0) }
  }
}

extension StoreFault {
  /// A short text that a test can compare.
  package var word: String {
    switch self {
    case .unknownSession: "unknownSession"
    case .unknownRevision(let newest): "unknownRevision \(newest)"
    case .historyGone(let first): "historyGone \(first)"
    case .responseForgotten: "responseForgotten"
    case .conflict(let current): "conflict \(current.revision)"
    case .refused(let refusal, let index, let revision): "refused \(refusal.code.rawValue) at \(index) by \(revision)"
    case .noMigration(let old, let new): "noMigration \(old) \(new)"
    case .notMigrated(let reason): "notMigrated: \(reason)"
    case .notImported(let reason): "notImported: \(reason)"
    case .definitionChanged(let current, let reason): "definitionChanged \(current): \(reason)"
    case .operatorOnly(let what, let index): "operatorOnly \(what) at \(index)"
    case .keyReused: "keyReused"
    case .queueFull: "queueFull"
    case .stopping: "stopping"
    case .storage: "storage"
    case .contended: "contended"
    case .uncertain: "uncertain"
    case .outdated(let app): "outdated \(app)"
    }
  }
}
