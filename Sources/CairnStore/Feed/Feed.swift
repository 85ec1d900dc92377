import CairnCore
import CairnRuntime
import Synchronization

/// Notifies subscribers of the commits of sessions. Without subscribers a commit only reads a number. Events are sent after their commit;
/// the readers' threads read missed ones from the journal. One thread notifies all subscribers.
package final class Feed: Sendable {
  private struct Inbox {
    /// How many ears each session has.
    var ears: [String: Int] = [:]
    /// Whether there is a subscriber of all sessions, or one that may reconnect.
    var hearsAll = false
    var number = 0
    var letters: [Letter] = []
    /// Occurrences in the letters.
    var weight = 0
    var isOpen = true
    var isNudged = false
  }

  /// Occurrences that may wait for the feed's thread; what comes beyond them is read from the journal when its turn comes.
  private static let limit = 4_096

  private let inbox = Monitor(Inbox())
  /// The number of subscribers, so that the writer needs no lock to see that there are none.
  private let listening = Atomic(0)
  private let waitingNow = Atomic(0)
  private let clock: any Clock
  private let thread = Lock<NamedThread?>(nil)

  init(_ clock: any Clock) { self.clock = clock }

  /// Whether the writer has to say what it does.
  var isActive: Bool { listening.load(ordering: .relaxed) > 0 }

  /// How many wait for a session's next change.
  package var waiting: Int { waitingNow.load(ordering: .relaxed) }

  /// One more waits, or less.
  func count(_ difference: Int) { waitingNow.add(difference, ordering: .relaxed) }

  /// Makes a subscription to a session. Any thread.
  package func ear(_ session: String) -> Ear {
    listening.add(1, ordering: .sequentiallyConsistent)
    let number = inbox.withLock { inbox in
      inbox.number += 1
      inbox.ears[session, default: 0] += 1
      return inbox.number
    }
    return Ear(session, number, of: self)
  }

  /// Subscribes to all sessions behind a number that the subscriber has received; `nil`: from now on. The feed holds the subscriber until
  /// `leave` with the number that is returned here. Any thread.
  package func join(heard: Int?, _ onlooker: any Onlooker) -> Int {
    inbox.change { inbox in
      if !inbox.hearsAll { listening.add(1, ordering: .sequentiallyConsistent) }
      inbox.hearsAll = true
      inbox.number += 1
      inbox.letters.append(.looks(inbox.number, heard: heard, onlooker))
      return inbox.number
    }
  }

  /// Ends a subscription to all sessions. Any thread.
  package func leave(_ number: Int) { put(.looksAway(number)) }

  /// Answers waiting requests now, and later ones at once. Any thread.
  package func dismiss() { put(.dismiss) }

  func left(_ session: String, _ number: Int) {
    listening.subtract(1, ordering: .relaxed)
    inbox.change { inbox in
      let count = inbox.ears[session, default: 1] - 1
      inbox.ears[session] = count == 0 ? nil : count
      inbox.letters.append(.left(session, number, isLast: count == 0))
    }
  }

  /// Returns false if the feed has stopped, so that it is never read.
  @discardableResult func put(_ letter: Letter) -> Bool {
    inbox.change { inbox in
      if inbox.isOpen { inbox.letters.append(letter) }
      return inbox.isOpen
    }
  }

  /// Hands the events of a commit to the feed. Only for the writer.
  func tell(_ committed: some Sequence<Staged>) {
    guard isActive else { return }
    let isNews = inbox.withLock { inbox in
      let count = inbox.letters.count
      for staged in committed {
        let isHeard = inbox.ears[staged.session.id] != nil
        guard isHeard || inbox.hearsAll else { continue }
        var note = Note(staged, isHeard: isHeard, isForAll: inbox.hearsAll)
        if inbox.weight + note.occurrences.count > Self.limit { note.occurrences = [] }
        inbox.weight += note.occurrences.count
        inbox.letters.append(.told(note))
      }
      return inbox.letters.count > count
    }
    if isNews { inbox.change { _ in } }
  }

  /// `read`: a page of a session's history behind a revision.
  func start(
    reading read: @escaping @Sendable (Birth, Int, @escaping @Sendable (Result<[Occurrence], StoreFault>) -> Void) -> Void
  ) throws(ThreadError) {
    clock.onJump { [weak self] in self?.inbox.change { $0.isNudged = true } }
    let new = try NamedThread("cairn-feed") { [self] in
      let desk = FeedDesk(clock) { [self] birth, revision in
        read(birth, revision) { [self] page in put(.page(birth.id, behind: revision, page)) }
      } ask: { [self] session, number, listener in
        listener.whenReady { [weak self] in self?.put(.ready(session, number)) }
      }
      while let letters = take(until: desk.deadline) {
        desk.take(letters)
        if desk.isAllOver() { forgetAll(desk) }
      }
      desk.end()
    }
    thread.withLock { $0 = new }
  }

  /// Ends all subscriptions and the thread.
  func stop() {
    inbox.change { $0.isOpen = false }
    thread.withLock { $0 }?.join()
  }

  /// Stops keeping events of all sessions, unless a subscriber joins at the same time.
  private func forgetAll(_ desk: FeedDesk) {
    inbox.withLock { inbox in
      let isComing = inbox.letters.contains { if case .looks = $0 { true } else { false } }
      guard inbox.hearsAll, !isComing else { return }
      inbox.hearsAll = false
      listening.subtract(1, ordering: .relaxed)
    }
  }

  /// Blocks until there is a letter, or until the deadline (`Monotonic`); `nil` after the stop.
  private func take(until deadline: UInt64?) -> [Letter]? {
    let taken: [Letter]?? = inbox.wait(until: deadline) { inbox -> [Letter]?? in
      guard !inbox.letters.isEmpty || inbox.isNudged else { return inbox.isOpen ? nil : .some(nil) }
      defer {
        inbox.letters.removeAll(keepingCapacity: true)
        inbox.weight = 0
        inbox.isNudged = false
      }
      return .some(inbox.letters)
    }
    // Without anything the deadline has passed.
    return taken ?? []
  }
}
