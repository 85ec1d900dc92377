import CairnCore
import CairnRuntime

/// Ends expired sessions, a few at a time, on a thread of its own: at the start, and a minute after each round. Sessions that a round does
/// not reach, because the service stops, are found by the next start.
final class Expiry: Sendable {
  private struct Contents {
    /// The clock was moved by hand.
    var isNudged = false
  }

  private let parts: StoreParts
  private let readers: Readers
  private let loop = BackgroundLoop(Contents())

  /// Sessions between which others have their turn.
  private static let slice = 64

  init(_ parts: StoreParts, _ readers: Readers) {
    self.parts = parts
    self.readers = readers
  }

  /// Starts the thread.
  func start() throws(ThreadError) {
    let loop = loop
    parts.clock.onJump { loop.change { $0.isNudged = true } }
    // From here on a jump of the clock is seen, however late the thread begins.
    var brake = ExpiryBrake(share: parts.limits.expiryShare)
    _ = brake.jump(to: parts.clock.now(), at: Monotonic.now())
    try loop.start("cairn-expiry") { [self, brake] in run(brake) }
  }

  /// Ends the thread, after the slice that it is at.
  func stop() { loop.stop() }

  private func run(_ brake: ExpiryBrake) {
    var brake = brake
    /// The times to live of definitions, by hash.
    var known: [String: Int?] = [:]
    while loop.isOpen {
      if let seconds = brake.jump(to: parts.clock.now(), at: Monotonic.now()) { parts.log(.clockJumped(seconds: seconds)) }
      let isResting = brake.isResting(at: Monotonic.now())
      var isHeld = isResting
      for hash in isResting ? [] : (try? parts.journal.definitions()) ?? [] {
        let ttl: Int?
        if let found = known[hash] { ttl = found } else { ttl = read(hash); known[hash] = .some(ttl) }
        if let ttl = ttl ?? parts.limits.sessionTTL, !end(hash, after: ttl, &brake) { isHeld = true }
      }
      if tell(isHeld: isHeld), !isResting { parts.log(.expiryHeld(share: parts.limits.expiryShare)) }
      pause(until: Monotonic.deadline(after: .seconds(60)), orJump: true)
    }
  }

  /// The time to live in a definition; `nil`: it has none, or cannot be read, and neither can its sessions.
  private func read(_ hash: String) -> Int? {
    // Most say nothing, and need not be read whole for that.
    guard let text = try? parts.journal.definition(hash), text.contains("\"ttl\"") else { return nil }
    return try? parts.library.definition(hash, in: parts.journal).definition.ttl
  }

  /// Ends the expired sessions of a definition. Returns false if the brake keeps some of them.
  private func end(_ definition: String, after ttl: Int, _ brake: inout ExpiryBrake) -> Bool {
    let moment = parts.clock.now().subtractingReportingOverflow(ttl)
    guard !moment.overflow else { return true }
    // A session has expired at the last moment of its time, not after it.
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
      guard case .success(let ended) = wait(for: query) else { break }
      count += ended.count
      brake.ended(ended.count, ttl: ttl)
      guard let next = ended.next else { break }
      query.after = next.isEmpty ? nil : next
      // As long as it took, the others have the writer and the disk to themselves.
      let now = Monotonic.now()
      pause(until: now + (now - start), orJump: false)
    }
    if count > 0 {
      parts.figures.withLock { $0.expired += count }
      parts.log(.expired(sessions: count, definition: definition))
    }
    return !isHeld
  }

  /// Records whether expired sessions are kept. Returns true if they were not kept before, so that it is logged once.
  private func tell(isHeld: Bool) -> Bool {
    parts.figures.withLock { figures in
      defer { figures.isExpiryHeld = isHeld }
      return isHeld && !figures.isExpiryHeld
    }
  }

  private func isFound(_ query: SessionQuery) -> Bool {
    let answer = Monitor<Bool?>(nil)
    let read = SingleRead { parts throws(StoreFault) in try parts.page(query) }
    let fault = readers.offer(read, .list, "expiry", parts) { result in
      let isFound = (try? result.get().ids.isEmpty) == false
      answer.change { $0 = isFound }
    }
    return fault == nil && answer.wait { $0 } == true
  }

  private func wait(for query: SessionQuery) -> Result<Ended, StoreFault> {
    let answer = Monitor<Result<Ended, StoreFault>?>(nil)
    Ending(query, isExpiry: true, parts, readers) { result in answer.change { $0 = result } }.goOn()
    // Without a deadline it always gives one.
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
