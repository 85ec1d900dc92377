import CairnCore
import CairnJournal
import CairnRuntime

/// Ends expired sessions in small slices on its own thread: at the start, and a minute after each round. If the service stops during a
/// round, the remaining sessions expire after the next start. Of several nodes, only one at a time ends expired sessions.
final class Expiry: Sendable {
  private struct Contents {
    /// Whether the clock was set manually since the last round.
    var isNudged = false
  }

  private let parts: StoreParts
  private let readers: Readers
  private let loop = BackgroundLoop(Contents())

  /// The number of sessions per slice. Other requests run between slices.
  private static let slice = 64
  /// The time in milliseconds during which only the node with the claim ends expired sessions.
  private static let lease = 180_000

  init(_ parts: StoreParts, _ readers: Readers) {
    self.parts = parts
    self.readers = readers
  }

  func start() throws(ThreadError) {
    let loop = loop
    parts.clock.onJump { loop.change { $0.isNudged = true } }
    // Sets the reference time for clock jumps here, because the thread may begin much later.
    var brake = ExpiryBrake(share: parts.limits.expiryShare)
    _ = brake.jump(to: parts.clock.now(), at: Monotonic.now())
    try loop.start("cairn-expiry") { [self, brake] in run(brake) }
  }

  /// Ends the thread after the current slice.
  func stop() { loop.stop() }

  private func run(_ brake: ExpiryBrake) {
    var brake = brake
    /// The times to live of definitions in milliseconds, by hash.
    var known: [String: Int?] = [:]
    while loop.isOpen {
      if let seconds = brake.jump(to: parts.clock.now(), at: Monotonic.now()) { parts.log(.clockJumped(seconds: seconds)) }
      parts.faults.round(.expiry) { round(&brake, &known) }
      pause(until: Monotonic.deadline(after: .seconds(60)), orJump: true)
    }
  }

  private func round(_ brake: inout ExpiryBrake, _ known: inout [String: Int?]) {
    let isResting = brake.isResting(at: Monotonic.now())
    var isHeld = isResting
    if let count = attempt({ () throws(JournalError) in try parts.nodes.count() }) ?? nil {
      parts.figures.withLock { $0.sessions = count }
    }
    let isOwn = attempt { () throws(JournalError) in try parts.cluster.claim(.expiry, for: Self.lease) }
    if isOwn == true, !isResting {
      for hash in attempt({ () throws(JournalError) in try parts.documents.definitions() }) ?? [] {
        // If a definition cannot be read now, its sessions expire in a later round.
        guard let own = known[hash] ?? attempt({ () throws(JournalError) in try ttl(of: hash) }) else { continue }
        known[hash] = .some(own)
        if let ttl = own ?? parts.limits.sessionTTL, !end(hash, after: ttl, &brake) { isHeld = true }
      }
    }
    if recordHeld(isHeld: isHeld), !isResting { parts.log(.expiryHeld(share: parts.limits.expiryShare)) }
  }

  private func attempt<Result>(_ work: () throws(JournalError) -> Result) -> Result? { parts.faults.attempt(.expiry, work) }

  /// The time to live that a definition sets, in milliseconds; `nil` if it sets none.
  private func ttl(of hash: String) throws(JournalError) -> Int? {
    // Most definitions have no time to live, and need not be parsed.
    guard let text = try parts.documents.definition(hash), text.contains("\"ttl\"") else { return nil }
    return try parts.library.definition(hash, in: parts.documents).definition.ttl
  }

  /// Ends the expired sessions of a definition. Returns `false` if the limit per hour (`brake`) keeps some of them for now.
  private func end(_ definition: String, after ttl: Int, _ brake: inout ExpiryBrake) -> Bool {
    let moment = parts.clock.now().subtractingReportingOverflow(ttl)
    guard !moment.overflow else { return true }
    // A session expires at the last millisecond of its time to live, so the query includes this millisecond.
    var query = SessionQuery(
      definition: definition, createdBefore: moment.partialValue + 1, idleSince: moment.partialValue + 1, limit: Self.slice)
    var count = 0
    var isHeld = false
    while loop.isOpen {
      let start = Monotonic.now()
      let room = brake.room(ttl: ttl, sessions: parts.figures.withLock { $0.sessions }, at: start)
      guard room > 0 else {
        isHeld = isFound(query)
        break
      }
      query.limit = min(Self.slice, room)
      guard let ended = parts.faults.attempt(.expiry, { () throws(StoreFault) in try wait(for: query).get() }) else { break }
      count += ended.count
      brake.ended(ended.count, ttl: ttl)
      guard let next = ended.next else { break }
      query.after = next.isEmpty ? nil : next
      // The thread pauses for as long as the slice took, so that other requests get at least half of the writer and the disk.
      let now = Monotonic.now()
      pause(until: now + (now - start), orJump: false)
    }
    if count > 0 {
      parts.figures.withLock { $0.expired += count }
      parts.log(.expired(sessions: count, definition: definition))
    }
    return !isHeld
  }

  /// Records whether a limit keeps expired sessions for now. Returns `true` if it kept none before, so that the caller logs this once.
  private func recordHeld(isHeld: Bool) -> Bool {
    parts.figures.withLock { figures in
      defer { figures.isExpiryHeld = isHeld }
      return isHeld && !figures.isExpiryHeld
    }
  }

  private func isFound(_ query: SessionQuery) -> Bool {
    let answer = Monitor<Bool?>(nil)
    let read = SingleRead { parts throws(StoreFault) in try parts.page(query) }
    let fault = readers.offer(read, .list, "expiry", parts) { result in
      let isFound = self.parts.faults.attempt(.expiry) { () throws(StoreFault) in try !result.get().ids.isEmpty }
      answer.change { $0 = isFound ?? false }
    }
    return fault == nil && answer.wait { $0 } == true
  }

  private func wait(for query: SessionQuery) -> Result<Ended, StoreFault> {
    let answer = Monitor<Result<Ended, StoreFault>?>(nil)
    Ending(query, isExpiry: true, parts, readers) { result in answer.change { $0 = result } }.goOn()
    // A wait without a deadline always returns a value.
    return answer.wait { $0 } ?? .failure(.stopping)
  }

  private func pause(until deadline: UInt64, orJump: Bool) {
    let _: Void? = loop.wait(until: deadline) { contents in
      guard orJump, contents.isNudged else { return nil }
      contents.isNudged = false
      return ()
    }
  }
}
