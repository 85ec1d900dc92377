/// The limits of the HTTP server. Sizes are in bytes.
package struct Limits: Sendable {
  /// Maximum size of a body. A longer body is answered with 413. If Content-Length announces the size, the response is sent before the
  /// upload.
  package var body = 1 << 20
  /// Maximum size of a body in requests that `allowsLongBody` accepts. No effect if `body` is larger.
  package var longBody = 0
  /// Whether a request may have a body of up to `longBody` bytes. Called with the head only, before the body is read, if the body is longer
  /// than `body` or its length is unknown.
  package var allowsLongBody: @Sendable (Request) -> Bool = { _ in false }
  /// Maximum memory of all bodies in progress together, not counting the first 16 KiB of each. A request whose body would exceed this
  /// maximum is answered with 503.
  package var bodies = 64 << 20
  /// Maximum length of the request target. A request with a longer target is answered with 414.
  package var target = 8 << 10
  /// The memory per connection, which holds the head, its fields and the head of the response. A request whose head needs more memory is
  /// answered with 431.
  package var memoryPerConnection = 64 << 10
  /// Maximum number of open connections on all threads together. At the limit, new connections wait in the listening socket's queue. After
  /// `fullPatience` at the limit they are answered with 503.
  package var connections = 4096
  /// Maximum number of streams, each of which occupies a connection. At the maximum, a request for another stream is answered with 503. An
  /// eighth of the connections is reserved for other requests.
  package var streams: Int { connections - connections / 8 }
  /// The time for which new connections wait at the limit of connections before they are refused.
  package var fullPatience = Duration.seconds(1)
  /// Maximum number of open connections from one address. Another connection from the address is answered with 429. 0 means no limit, for a
  /// server behind a proxy.
  package var connectionsPerAddress = 256
  /// Whether an address, such as that of a proxy with many clients, is exempt from `connectionsPerAddress`.
  package var isExempt: @Sendable (String) -> Bool = { _ in false }
  /// Maximum time without bytes on a connection, during or between requests. Rounded up to whole seconds.
  package var idle = Duration.seconds(30)
  /// Maximum time for the request line and the fields to arrive. The time starts when the connection is accepted, and for each later
  /// request with its first byte.
  package var head = Duration.seconds(10)
  /// Maximum time for a body to arrive.
  package var upload = Duration.seconds(30)
  /// Maximum time for the client to read a response.
  package var download = Duration.seconds(30)
  /// Maximum time for which `Server.stop()` waits for responses to be sent.
  package var grace = Duration.seconds(5)
  /// Maximum time for which `Server.stop()` waits for a response that makes no progress.
  package var stall = Duration.milliseconds(500)
  /// The value of `Retry-After` in responses sent while the server stops, in seconds.
  package var retryAfter = 5

  /// Creates the default limits.
  package init() {}
}

extension Limits {
  /// Maximum size of a request's body, in bytes.
  func bodyLimit(of request: Request, _ framing: Framing) -> Int {
    guard framing.isChunked || (framing.contentLength ?? 0) > body, longBody > body, allowsLongBody(request) else { return body }
    return longBody
  }
}
