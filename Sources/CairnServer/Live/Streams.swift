import CairnRuntime
import Synchronization

/// The open streams and their metrics. Thread-safe.
final class Streams: Sendable {
  private struct Contents {
    var open: [ObjectIdentifier: EventStream] = [:]
    /// The number of occupied slots per session. Operators' streams occupy no slots.
    var places: [String: Int] = [:]
    var isEnding = false
    /// The number of events sent by streams that have ended.
    var events: [EventStream.Kind: Int] = [:]
    var ended: [StreamReason: Int] = [:]
  }

  /// The numbers for the metrics: open streams and sent events by kind, ended streams by reason.
  struct Figures {
    var open: [EventStream.Kind: Int] = [:]
    var events: [EventStream.Kind: Int] = [:]
    var ended: [StreamReason: Int] = [:]
  }

  /// The prefix of the event ids in streams of all sessions. An id with another prefix belongs to another run of the service and is
  /// ignored.
  let run = Identity.nonce()
  private let limit: Int
  private let contents = Lock(Contents())

  /// Creates the streams. `limit` is the largest number of open streams per session. Operators' streams are not counted.
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

  /// Occupies a slot for a stream of the session. Returns `false` if no slot is free. If a slot was free, the caller must release it with
  /// `leave`.
  func enter(_ session: String) -> Bool {
    contents.withLock { contents in
      guard contents.places[session, default: 0] < limit else { return false }
      contents.places[session, default: 0] += 1
      return true
    }
  }

  /// Releases a slot.
  func leave(_ session: String) {
    contents.withLock { contents in
      let count = contents.places[session, default: 1] - 1
      contents.places[session] = count == 0 ? nil : count
    }
  }

  /// Adds a stream. If the service is stopping, the stream is ended immediately.
  func add(_ stream: EventStream) {
    let isLate = contents.withLock { contents in
      contents.open[ObjectIdentifier(stream)] = stream
      return contents.isEnding
    }
    if isLate { stream.end(.stopping) }
  }

  /// Removes a stream that has ended, and adds its events to the metrics.
  func remove(_ stream: EventStream, _ reason: StreamReason, events: Int) {
    contents.withLock { contents in
      guard contents.open.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
      contents.events[stream.kind, default: 0] += events
      contents.ended[reason, default: 0] += 1
    }
  }

  /// Ends every stream with a final event. New streams are then refused.
  func endAll() {
    let open = contents.withLock { contents in
      contents.isEnding = true
      return Array(contents.open.values)
    }
    for stream in open { stream.end(.stopping) }
  }

  /// Ends the streams for which `isOver` returns true, with a final event that names the credential as the reason.
  func end(where isOver: (EventStream) -> Bool) {
    for stream in contents.withLock({ Array($0.open.values) }) where isOver(stream) { stream.end(.credential) }
  }
}
