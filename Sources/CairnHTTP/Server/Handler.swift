/// Answers one request. Must not block, because it runs on a connection thread, which serves many connections. If it returns `.later`, the
/// connection waits for a response from the `Responder`, and occupies no thread.
package typealias Handler = @Sendable (Request, Responder) -> Answer

/// A handler's result.
package enum Answer: Sendable {
  /// Sends this response when the handler returns.
  case now(Response)
  /// The responder delivers the response, or has already delivered it.
  case later
}

/// Delivers the response to one waiting request. If the last copy is released without a response, the client receives `Fault.abandoned`.
package struct Responder: Sendable {
  private let ticket: Ticket

  /// Whether the method is HEAD, so that the client receives only the head of the response.
  private let asksForHead: Bool

  init(_ exchange: Exchange, asksForHead: Bool) {
    ticket = Ticket(exchange: exchange)
    self.asksForHead = asksForHead
  }

  /// Whether the client still waits for the response, as far as the server can detect. A client that has closed its side of the connection
  /// counts as disconnected, although a response is still sent to it. Can be called on any thread.
  package var isAwaited: Bool { ticket.exchange.isAwaited }

  /// Delivers the response. May be called on any thread, even before the handler has returned, and never blocks on the network. Only the
  /// first response is sent. Returns false if this response was dropped, because the request already had one or the connection was closed.
  @discardableResult
  package func send(_ response: Response) -> Bool { ticket.exchange.deliver(.response(response)) }

  /// Whether the server has refused the waiting request with a fault, for example because it is stopping. Also true if the handler's
  /// response was delivered first.
  package var wasRefused: Bool { ticket.exchange.wasRefused }

  /// Delivers a closure that makes the response. The closure is called on the connection's thread, at most once, when the response is about
  /// to be sent. This moves work off the calling thread. `make` is released without a call if the request already has a response or has
  /// ended.
  package func send(_ make: @escaping @Sendable () -> Response) { _ = ticket.exchange.deliver(.work(make)) }

  /// Starts a response without a fixed end. Sends the head and `head.body`, then the stream's bytes as they are added; the connection
  /// closes when the stream ends. For HEAD, only the head is sent, and the result is `nil`. Also returns `nil` if the request already has a
  /// response or has ended. May be called on any thread.
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
