import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

/// Collects the streams that connection threads open, and the result of each stream that has ended.
final class Feeds: Sendable {
  private let begun = Monitor<[ByteStream]>([])
  private let ended = Monitor<[StreamEnd]>([])
  private let limits: StreamLimits

  /// Sets the limits of the streams. The default has no heartbeats, because on a busy machine one could appear between two pieces.
  init(_ change: (inout StreamLimits) -> Void = { _ in }) {
    var limits = StreamLimits()
    limits.heartbeat = nil
    change(&limits)
    self.limits = limits
  }

  /// A handler that answers every request with a stream that begins with `first` and a line feed.
  var handler: Handler {
    { [self] _, responder in
      let headers: Headers = ["Content-Type": "text/event-stream"]
      if let stream = responder.stream(Response(status: 200, headers: headers, body: Array("first\n".utf8)), limits) {
        stream.whenOver { [ended] end in ended.change { $0.append(end) } }
        begun.change { $0.append(stream) }
      }
      return .later
    }
  }

  /// The oldest stream that has not been taken yet.
  func take() throws -> ByteStream {
    try begun.wait(for: "a stream") { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// The result of the next stream that ends, or `nil` after the timeout of all tests.
  func nextEnd() -> StreamEnd? {
    ended.wait(until: TestTimeout.deadline) { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

extension ByteStream {
  /// Sends a text.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }
}
