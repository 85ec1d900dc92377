package import CairnCore
import CairnRuntime
package import CairnStore

/// A journal in memory. A test can hold its commits, make them fail, and look at what was written.
package final class MemoryJournal: Journal {
  private struct Contents {
    var definitions: [String: String] = [:]
    var order: [String] = []
    var records: [String: SessionRecord] = [:]
    var entries: [String: [Entry]] = [:]
    var secrets: [String: [SecretSlot: String]] = [:]
    var batches: [JournalBatch] = []
    var reads: [Int] = []
    var fault: JournalError?
    var isHeld = false
    /// Commits that may pass although commits are held.
    var passes = 0
    var held = 0
    var isClosed = false
  }

  private let contents = Monitor(Contents())

  package init() {}

  /// What was committed so far, in order.
  package var batches: [JournalBatch] { contents.withLock { $0.batches } }

  /// After which revision entries were read, in order.
  package var reads: [Int] { contents.withLock { $0.reads } }

  /// Begins to note reads anew.
  package func forgetReads() { contents.withLock { $0.reads = [] } }

  /// Everything that is there of a session, as text; empty: nothing.
  package func traces(of session: String) -> [String] {
    contents.withLock { contents in
      [
        contents.records[session].map { "\($0)" }, contents.entries[session].map { "\($0)" },
        contents.secrets[session].map { "\($0)" },
      ].compactMap { $0 }
    }
  }

  /// The secrets of a session.
  package func secrets(of session: String) -> [SecretSlot: String] { contents.withLock { $0.secrets[session] ?? [:] } }

  /// Makes commits and probes fail from now on; nil: work again.
  package func fail(with fault: JournalError?) { contents.withLock { $0.fault = fault } }

  /// Lets the next commits block until `release`.
  package func hold() { contents.withLock { $0.isHeld = true } }

  /// Blocks until a commit is held.
  package func waitUntilHeld() throws {
    let found: Bool? = contents.wait(until: Monotonic.deadline(after: .seconds(30))) { $0.held > 0 ? true : nil }
    guard found != nil else { throw NeverCame() }
  }

  /// Lets held commits go on.
  package func release() { contents.change { $0.isHeld = false } }

  /// Lets the commit that is held go on, and holds the next one.
  package func releaseOne() { contents.change { $0.passes += 1 } }

  /// Opens it again after `close`, as a restart would.
  package func reopen() { contents.withLock { $0.isClosed = false } }

  package func commit(_ batch: JournalBatch) throws(JournalError) {
    contents.change { $0.held += 1 }
    let fault: JournalError?? = contents.wait { contents in
      guard !contents.isHeld || contents.passes > 0 else { return nil }
      if contents.isHeld { contents.passes -= 1 }
      contents.held -= 1
      return .some(Self.commit(batch, to: &contents))
    }
    if case .some(.some(let error)) = fault { throw error }
  }

  private static func commit(_ batch: JournalBatch, to contents: inout Contents) -> JournalError? {
    if let fault = contents.isClosed ? .closed : contents.fault { return fault }
    for write in batch.sessions where (contents.records[write.record.id]?.state.revision ?? 0) != write.after {
      return .conflict(session: write.record.id)
    }
    contents.batches.append(batch)
    contents.definitions.merge(batch.definitions) { old, _ in old }
    for write in batch.sessions {
      let id = write.record.id
      if write.after == 0 { contents.order.append(id) }
      contents.records[id] = write.record
      contents.entries[id, default: []] += write.entries
      for (slot, change) in write.secrets {
        if case .keep(let text) = change {
          contents.secrets[id, default: [:]][slot] = text
        } else {
          contents.secrets[id]?[slot] = nil
        }
      }
    }
    for id in batch.deletions {
      contents.order.removeAll { $0 == id }
      contents.records[id] = nil
      contents.entries[id] = nil
      contents.secrets[id] = nil
    }
    return nil
  }

  package func session(_ id: String) throws(JournalError) -> SessionRecord? {
    try read { $0.records[id] }
  }

  package func sessions(_ query: SessionQuery) throws(JournalError) -> [SessionRecord]? {
    try read { contents in
      var ids = contents.order[...]
      if let after = query.after {
        guard let index = ids.firstIndex(of: after) else { return nil }
        ids = ids[(index + 1)...]
      }
      return Array(
        ids.compactMap { contents.records[$0] }
          .filter { record in
            query.app.map { $0 == record.app } ?? true && query.label.map { $0 == record.label } ?? true
          }.prefix(query.limit))
    }
  }

  package func sessionsWithEffects() throws(JournalError) -> [String] {
    try read { contents in contents.order.filter { !(contents.records[$0]?.state.effects.isEmpty ?? true) } }
  }

  package func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [Entry] {
    contents.withLock { $0.reads.append(revision) }
    return try read { contents in Array((contents.entries[session] ?? []).filter { $0.revision > revision }.prefix(limit)) }
  }

  package func definition(_ hash: String) throws(JournalError) -> String? {
    try read { $0.definitions[hash] }
  }

  package func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String? {
    try read { $0.secrets[session]?[slot] }
  }

  package func count() throws(JournalError) -> Int {
    try read { $0.records.count }
  }

  package func probe() throws(JournalError) {
    try contents.withLock { contents throws(JournalError) in
      if let fault = contents.isClosed ? .closed : contents.fault { throw fault }
    }
  }

  package func close() { contents.withLock { $0.isClosed = true } }

  private func read<Result>(_ body: (Contents) -> Result) throws(JournalError) -> Result {
    try contents.withLock { contents throws(JournalError) in
      if contents.isClosed { throw .closed }
      return body(contents)
    }
  }
}
