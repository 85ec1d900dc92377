/// Answers one request. Runs on a connection thread, which serves many connections: it must not block.
/// With `.later` the connection rests, at no cost but memory, until `Responder.send`.
package typealias Handler = @Sendable (Request, Responder) -> Answer

/// A handler's result.
package enum Answer: Sendable {
  /// The response, at once.
  case now(Response)
  /// The response comes, or has come, through the responder.
  case later
}

/// The way back to one waiting request. When the last copy is gone without a response, `Fault.abandoned` is answered.
package struct Responder: Sendable {
  private let ticket: Ticket

  /// The request wants nothing but the head of its answer.
  private let asksForHead: Bool

  init(_ exchange: Exchange, asksForHead: Bool) {
    ticket = Ticket(exchange: exchange)
    self.asksForHead = asksForHead
  }

  /// Whether the client still waits for the response, as far as can be seen; any thread. A client that has closed its side of the
  /// connection counts as gone; cheap responses are sent to it all the same.
  package var isAwaited: Bool { ticket.exchange.isAwaited }

  /// Answers the request: any thread, also before the handler has returned. The first response counts;
  /// later ones, and those for a connection that is gone, are dropped. Never blocks on the network.
  /// False: this one was dropped.
  @discardableResult
  package func send(_ response: Response) -> Bool { ticket.exchange.deliver(.response(response)) }

  /// Whether a fault replaced the response: it has been sent to the client.
  package var wasRefused: Bool { ticket.exchange.wasRefused }

  /// The same with a response that is made on the connection's thread, at most once, when it is about to be sent:
  /// for work that the calling thread has no time for. `make` is let go unused if the connection is gone.
  package func send(_ make: @escaping @Sendable () -> Response) { _ = ticket.exchange.deliver(.work(make)) }

  /// Begins a response without an end: the head is sent at once with its body as first bytes, then the stream's bytes. The connection
  /// closes after it. Any thread. `nil` if the request has ended, or if it was HEAD and has its response.
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
