import CairnJournal
import CairnRuntime
import CairnStore

/// Sends one session's events to a stream, the newest event with predictions.
///
/// Predictions are computed on readers' threads, one event at a time per stream. So the feed, which serves all sessions, never waits for
/// predictions. Events that arrive during a computation wait in order. After the computation, all of them except the newest are sent
/// without predictions. If more than `most` events wait, all waiting events are sent without predictions.
final class PredictingStream: SessionListener {
  private struct Waiting {
    /// The events that are not sent yet, oldest first. If `isComputing` is set, predictions for the first event are being computed.
    var events: [Occurrence] = []
    var isComputing = false
    /// The number of the current computation. A result with another number is stale and is ignored.
    var turn = 0
  }

  /// Maximum number of events that wait for predictions.
  private static let most = 64

  private let stream: EventStream
  private let store: Store
  private let responses: SessionResponses
  private let waiting = Lock(Waiting())

  init(_ stream: EventStream, _ store: Store, _ responses: SessionResponses) {
    self.stream = stream
    self.store = store
    self.responses = responses
  }

  func hear(_ occurrences: ArraySlice<Occurrence>) {
    let next = waiting.withLock { waiting -> (event: Occurrence, turn: Int)? in
      waiting.events += occurrences
      guard waiting.events.count <= Self.most else {
        sendAll(&waiting)
        return nil
      }
      return waiting.isComputing ? nil : begin(&waiting)
    }
    if let next { compute(next.event, next.turn) }
  }

  /// Drops the waiting events, because the new session replaces them. The session is sent without predictions. The next event has
  /// predictions again.
  func reset(to session: Session) {
    waiting.withLock { waiting in
      (waiting.events, waiting.isComputing, waiting.turn) = ([], false, waiting.turn + 1)
      // `nil` means that the session contains a number that JSON cannot represent. A new stream of such a session is refused.
      guard let event = responses.resetEvent(session, with: nil) else { return stream.end(.fault) }
      _ = stream.send(event)
    }
  }

  func end(_ ending: FeedEnding) {
    waiting.withLock { sendAll(&$0) }
    stream.end(StreamReason(ending))
  }

  func whenReady(_ note: @escaping @Sendable () -> Void) { stream.whenDrained(note) }

  /// Sends all waiting events except the newest, and returns the newest event, so that the caller computes its predictions. Returns `nil`
  /// if no event waits. Called under the lock, so that the order of the events is kept.
  private func begin(_ waiting: inout Waiting) -> (event: Occurrence, turn: Int)? {
    send(&waiting, keeping: 1)
    guard let newest = waiting.events.first else { return nil }
    (waiting.isComputing, waiting.turn) = (true, waiting.turn + 1)
    return (newest, waiting.turn)
  }

  /// Sends all waiting events without predictions, including the event whose predictions are being computed.
  private func sendAll(_ waiting: inout Waiting) {
    (waiting.isComputing, waiting.turn) = (false, waiting.turn + 1)
    send(&waiting, keeping: 0)
  }

  private func send(_ waiting: inout Waiting, keeping rest: Int) {
    for event in waiting.events.dropLast(rest) where !stream.send(event.event(hasReplica: false)) { break }
    waiting.events = waiting.events.suffix(rest)
  }

  private func compute(_ event: Occurrence, _ turn: Int) {
    store.compute(event.identity.id) { [responses] () -> [UInt8]? in
      if let bytes = event.bytes(madeWith: .predictions) { return bytes }
      return event.basis.map { event.event(with: responses.predictions(from: $0)) }
    } reply: { [self] result in
      finish(turn, with: (try? result.get()) ?? event.event(hasReplica: false))
    }
  }

  private func finish(_ turn: Int, with bytes: [UInt8]) {
    let next = waiting.withLock { waiting -> (event: Occurrence, turn: Int)? in
      guard waiting.isComputing, waiting.turn == turn else { return nil }
      waiting.isComputing = false
      waiting.events.removeFirst()
      guard stream.send(bytes) else {
        waiting.events = []
        return nil
      }
      return begin(&waiting)
    }
    if let next { compute(next.event, next.turn) }
  }
}
