import CairnRuntime
import Synchronization

/// The open streams, and statistics of all streams. Any thread.
final class Streams: Sendable {
  private struct Contents {
    var open: [ObjectIdentifier: EventStream] = [:]
    /// The number of streams per session, without those of operators.
    var places: [String: Int] = [:]
    var isEnding = false
    /// The number of events in streams that have ended.
    var events: [EventStream.Kind: Int] = [:]
    var ended: [StreamReason: Int] = [:]
  }

  /// The statistics of streams.
  struct Figures {
    var open: [EventStream.Kind: Int] = [:]
    var events: [EventStream.Kind: Int] = [:]
    var ended: [StreamReason: Int] = [:]
  }

  /// The prefix of event ids in the stream of all sessions. Ids of another run have another prefix and are rejected.
  let run = Identity.nonce()
  private let limit: Int
  private let contents = Lock(Contents())

  /// `limit` is the maximum number of streams per session, without those of operators.
  init(limit: Int) { self.limit = limit }

  /// Whether new streams are refused.
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

  /// Reserves a slot for a stream of a session. Returns `false` if there are too many. `leave` must follow.
  func enter(_ session: String) -> Bool {
    contents.withLock { contents in
      guard contents.places[session, default: 0] < limit else { return false }
      contents.places[session, default: 0] += 1
      return true
    }
  }

  /// Frees a slot.
  func leave(_ session: String) {
    contents.withLock { contents in
      let count = contents.places[session, default: 1] - 1
      contents.places[session] = count == 0 ? nil : count
    }
  }

  /// Adds a stream. Ends it at once during the stop.
  func add(_ stream: EventStream) {
    let isLate = contents.withLock { contents in
      contents.open[ObjectIdentifier(stream)] = stream
      return contents.isEnding
    }
    if isLate { stream.end(.stopping) }
  }

  /// Removes a stream that has ended.
  func remove(_ stream: EventStream, _ reason: StreamReason, events: Int) {
    contents.withLock { contents in
      guard contents.open.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
      contents.events[stream.kind, default: 0] += events
      contents.ended[reason, default: 0] += 1
    }
  }

  /// Ends all streams with a last event, and refuses new ones.
  func endAll() {
    let open = contents.withLock { contents in
      contents.isEnding = true
      return Array(contents.open.values)
    }
    for stream in open { stream.end(.stopping) }
  }

  /// Ends the streams whose credential has been revoked, with a last event.
  func end(where isOver: (EventStream) -> Bool) {
    for stream in contents.withLock({ Array($0.open.values) }) where isOver(stream) { stream.end(.credential) }
  }
}
