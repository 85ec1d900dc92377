/// Handles a request. Runs on a connection thread, which serves many connections, so it must not block. After `.later` the request waits for
/// `Responder.send`, at no cost but memory.
package typealias Handler = @Sendable (Request, Responder) -> Answer

/// A handler's result.
package enum Answer: Sendable {
  /// The response.
  case now(Response)
  /// The response is sent, or has been sent, with the responder.
  case later
}

/// Sends the response to one request. If the last copy is released without a response, `Fault.abandoned` is sent.
package struct Responder: Sendable {
  private let ticket: Ticket

  /// Whether the method is HEAD.
  private let asksForHead: Bool

  init(_ exchange: Exchange, asksForHead: Bool) {
    ticket = Ticket(exchange: exchange)
    self.asksForHead = asksForHead
  }

  /// Whether the client still waits for the response, as far as the socket shows. A client that has closed its side of the connection counts as
  /// disconnected; cheap responses are sent to it all the same. Any thread.
  package var isAwaited: Bool { ticket.exchange.isAwaited }

  /// Sends the response, also before the handler has returned. Only the first response counts; later ones, and those for closed connections, are
  /// discarded. Never blocks on the network. Returns `false` if this response was discarded. Any thread.
  @discardableResult
  package func send(_ response: Response) -> Bool { ticket.exchange.deliver(.response(response)) }

  /// Whether a fault was sent instead of the handler's response.
  package var wasRefused: Bool { ticket.exchange.wasRefused }

  /// Sends a response that is built on the connection's thread, at most once, when it is about to be sent. For work that the calling thread has no
  /// time for. If the connection has closed, `make` is released without a call.
  package func send(_ make: @escaping @Sendable () -> Response) { _ = ticket.exchange.deliver(.work(make)) }

  /// Starts a response without an end. Sends the head and, as the first bytes, its body, then the bytes of the stream, after which the connection
  /// closes. Returns `nil` if the request has ended, or if it was HEAD, which is then answered. Any thread.
  package func stream(_ head: Response, _ limits: StreamLimits = StreamLimits()) -> ByteStream? {
    let stream = ByteStream(limits, opening: AnswerText.opening(head, hasBody: !asksForHead))
    if asksForHead { stream.end() }
    guard ticket.exchange.deliver(.stream(stream)) else { return nil }
    return asksForHead ? nil : stream
  }
}

private final class Ticket: Sendable {
  let exchange: Exchange

  init(exchange: Exchange) { self.exchange = exchange }

  deinit { exchange.abandon() }
}
