import CairnCore
import CairnRuntime

/// Ends the sessions whose time is over, a few at a time, on a thread of its own: at the start, and a minute after each time.
/// What a round does not reach, since the service ends, the next start finds.
final class Expiry: Sendable {
  private struct Contents {
    var isOpen = true
    /// The clock was moved by hand.
    var isNudged = false
  }

  private let parts: StoreParts
  private let readers: Readers
  private let contents = Monitor(Contents())
  private let thread = Lock<NamedThread?>(nil)

  /// Sessions between which others have their turn.
  private static let slice = 64

  init(_ parts: StoreParts, _ readers: Readers) {
    self.parts = parts
    self.readers = readers
  }

  /// Starts the thread.
  func start() throws(ThreadError) {
    let contents = contents
    parts.clock.onJump { contents.change { $0.isNudged = true } }
    let started = try NamedThread("cairn-expiry") { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// Ends the thread, after the slice that it is at.
  func stop() {
    contents.change { $0.isOpen = false }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func run() {
    /// What definitions say by themselves, by hash.
    var known: [String: Int?] = [:]
    while contents.withLock({ $0.isOpen }) {
      let hashes = (try? parts.journal.definitions()) ?? []
      for hash in hashes {
        let ttl: Int?
        if let found = known[hash] { ttl = found } else { ttl = read(hash); known[hash] = .some(ttl) }
        if let ttl = ttl ?? parts.limits.sessionTTL { end(hash, after: ttl) }
      }
      pause(until: Monotonic.deadline(after: .seconds(60)), orJump: true)
    }
  }

  /// What a definition says; nil: nothing, or it cannot be read, and its sessions not either.
  private func read(_ hash: String) -> Int? {
    // Most say nothing, and need not be read whole for that.
    guard let text = try? parts.journal.definition(hash), text.contains("\"ttl\"") else { return nil }
    return try? parts.library.definition(hash, in: parts.journal).definition.ttl
  }

  private func end(_ definition: String, after ttl: Int) {
    let moment = parts.clock.now().subtractingReportingOverflow(ttl)
    guard !moment.overflow else { return }
    // The last moment is over when it has come.
    var query = SessionQuery(
      definition: definition, createdBefore: moment.partialValue + 1, idleSince: moment.partialValue + 1, limit: Self.slice)
    var count = 0
    while contents.withLock({ $0.isOpen }) {
      let start = Monotonic.now()
      guard case .success(let ended) = wait(for: query) else { break }
      count += ended.count
      guard let next = ended.next else { break }
      query.after = next.isEmpty ? nil : next
      // As long as it took, the others have the writer and the disk to themselves.
      let now = Monotonic.now()
      pause(until: now + (now - start), orJump: false)
    }
    guard count > 0 else { return }
    parts.figures.withLock { $0.expired += count }
    parts.log(.expired(sessions: count, definition: definition))
  }

  private func wait(for query: SessionQuery) -> Result<Ended, StoreFault> {
    let answer = Monitor<Result<Ended, StoreFault>?>(nil)
    Ending(query, isExpiry: true, parts, readers) { result in answer.change { $0 = result } }.goOn()
    // Without a deadline it always gives one.
    return answer.wait { $0 } ?? .failure(.stopping)
  }

  private func pause(until deadline: UInt64, orJump: Bool) {
    let _: Void? = contents.wait(until: deadline) { contents in
      guard orJump, contents.isNudged else { return contents.isOpen ? nil : () }
      contents.isNudged = false
      return ()
    }
  }
}
