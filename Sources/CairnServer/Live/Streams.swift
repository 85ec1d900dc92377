import CairnRuntime
import Synchronization

/// The streams that are open, and what was counted of them. Any thread.
final class Streams: Sendable {
  private struct Contents {
    var open: [ObjectIdentifier: EventStream] = [:]
    /// By session, beside the operators'.
    var places: [String: Int] = [:]
    var isEnding = false
    /// Of streams that are over.
    var events: [EventStream.Kind: Int] = [:]
    var ended: [StreamReason: Int] = [:]
  }

  /// What is told of them.
  struct Figures {
    var open: [EventStream.Kind: Int] = [:]
    var events: [EventStream.Kind: Int] = [:]
    var ended: [StreamReason: Int] = [:]
  }

  /// What the ids of events of all sessions begin with: those of another run are not known.
  let run = Identity.nonce()
  private let limit: Int
  private let contents = Lock(Contents())

  /// `limit`: streams of one session, beside the operators'.
  init(limit: Int) { self.limit = limit }

  /// Whether nobody is let in any more.
  var isEnding: Bool { contents.withLock(\.isEnding) }

  var figures: Figures {
    contents.withLock { contents in
      var figures = Figures(events: contents.events, ended: contents.ended)
      for stream in contents.open.values {
        figures.open[stream.kind, default: 0] += 1
        figures.events[stream.kind, default: 0] += stream.count.load(ordering: .relaxed)
      }
      return figures
    }
  }

  /// Takes a place among a session's streams; false: there are as many as there may be. `leave` must follow.
  func enter(_ session: String) -> Bool {
    contents.withLock { contents in
      guard contents.places[session, default: 0] < limit else { return false }
      contents.places[session, default: 0] += 1
      return true
    }
  }

  /// The place is free again.
  func leave(_ session: String) {
    contents.withLock { contents in
      let count = contents.places[session, default: 1] - 1
      contents.places[session] = count == 0 ? nil : count
    }
  }

  /// A stream has begun. It is ended at once if nobody is let in any more.
  func add(_ stream: EventStream) {
    let isLate = contents.withLock { contents in
      contents.open[ObjectIdentifier(stream)] = stream
      return contents.isEnding
    }
    if isLate { stream.end(.stopping) }
  }

  /// A stream is over.
  func remove(_ stream: EventStream, _ reason: StreamReason, events: Int) {
    contents.withLock { contents in
      guard contents.open.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
      contents.events[stream.kind, default: 0] += events
      contents.ended[reason, default: 0] += 1
    }
  }

  /// All get their last event, and nobody is let in any more.
  func endAll() {
    let open = contents.withLock { contents in
      contents.isEnding = true
      return Array(contents.open.values)
    }
    for stream in open { stream.end(.stopping) }
  }

  /// Those whose credential is none any more get their last event.
  func end(where isOver: (EventStream) -> Bool) {
    for stream in contents.withLock({ Array($0.open.values) }) where isOver(stream) { stream.end(.credential) }
  }
}
