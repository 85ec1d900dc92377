package import CairnCore
import CairnRuntime
package import CairnStore

/// A store on a bench: calls that block until the answer is there.
package final class StoreBench: Sendable {
  package let store: Store
  package let clock: ManualClock
  package let outbound: StubOutbound
  private let seen: Lock<[StoreEvent]>

  /// Starts a store on the journal.
  package init(
    _ journal: any Journal, clock: ManualClock = ManualClock(), outbound: StubOutbound = StubOutbound(),
    limits: StoreLimits = StoreLimits()
  ) throws {
    self.clock = clock
    self.outbound = outbound
    let seen = Lock<[StoreEvent]>([])
    self.seen = seen
    let nonces = Lock(0)
    store = Store(
      journal: journal, outbound: outbound, clock: clock, definitions: { try Trial.read($0) }, limits: limits,
      nonce: {
        nonces.withLock {
          $0 += 1
          return "nonce-\($0)"
        }
      }, log: { event in seen.withLock { $0.append(event) } })
    try store.start()
  }

  /// What the store had to say so far.
  package var events: [StoreEvent] { seen.withLock { $0 } }

  @discardableResult package func create(
    _ id: String, definition: PinnedDefinition = Trial.pinned(), label: String? = nil, creation: Creation = Creation(),
    accessToken: String? = nil, arrival: Command? = nil
  ) throws -> Created {
    try awaiting { reply in
      store.create(
        NewSession(
          id: id, definition: definition, label: label, secretHash: [1, 2, 3], creation: creation, accessToken: accessToken,
          arrival: arrival), reply: reply)
    }.get()
  }

  @discardableResult package func post(_ commands: Command..., to id: String, matching: [Int]? = nil) throws -> Posted {
    try awaiting { store.post(commands, to: id, matching: matching, reply: $0) }.get()
  }

  /// The fault that a post ends with; nil if it does not.
  package func fault(_ commands: Command..., to id: String, matching: [Int]? = nil) throws -> StoreFault? {
    switch try awaiting({ store.post(commands, to: id, matching: matching, reply: $0) }) {
    case .success: nil
    case .failure(let fault): fault
    }
  }

  package func delete(_ id: String, matching: [Int]? = nil) throws {
    try awaiting { store.delete(id, matching: matching, reply: $0) }.get()
  }

  package func session(_ id: String) throws -> Session {
    try awaiting { store.session(id, reply: $0) }.get()
  }

  package func session(_ id: String, at revision: Int) throws -> Session {
    try awaiting { store.session(id, at: revision, reply: $0) }.get()
  }

  package func history(of id: String, after: Int = 0, limit: Int = 100) throws -> (items: [HistoryItem], more: Bool) {
    try awaiting { store.history(of: id, after: after, limit: limit, reply: $0) }.get()
  }

  package func sessions(
    app: String? = nil, label: String? = nil, after: String? = nil, limit: Int = 100
  ) throws -> SessionPage {
    try awaiting { store.sessions(app: app, label: label, after: after, limit: limit, reply: $0) }.get()
  }

  /// Returns when the writer has done everything that was due or waiting before.
  package func settle() throws {
    _ = try awaiting { store.post([Trial.nonsense], to: "nobody", reply: $0) }
  }
}

extension StoreFault {
  /// A short word for a test to compare.
  package var word: String {
    switch self {
    case .unknownSession: "unknownSession"
    case .unknownRevision(let newest): "unknownRevision \(newest)"
    case .conflict(let current): "conflict \(current)"
    case .refused(let refusal, let index, let revision): "refused \(refusal.code.rawValue) at \(index) by \(revision)"
    case .queueFull: "queueFull"
    case .stopping: "stopping"
    case .storage: "storage"
    }
  }
}
