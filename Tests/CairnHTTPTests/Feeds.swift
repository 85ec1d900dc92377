import CairnHTTP
import CairnRuntime
import CairnTesting
import Testing

/// Streams handed from connection threads to the test, and how they ended.
final class Feeds: Sendable {
  private let begun = Monitor<[ByteStream]>([])
  private let ended = Monitor<[StreamEnd]>([])
  private let limits: StreamLimits

  /// Streams with what `change` makes of the limits, which are without heartbeats: on a busy machine one would come between the pieces.
  init(_ change: (inout StreamLimits) -> Void = { _ in }) {
    var limits = StreamLimits()
    limits.heartbeat = nil
    change(&limits)
    self.limits = limits
  }

  /// A handler that answers everything with a stream whose first bytes are `first` and a line's end.
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

  /// The oldest stream not taken yet.
  func take() throws -> ByteStream {
    try begun.wait(for: "a stream") { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// How the next stream ended; nil: none did.
  func nextEnd() -> StreamEnd? {
    ended.wait(until: TestTimeout.deadline) { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

extension ByteStream {
  /// The same with text.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }
}
