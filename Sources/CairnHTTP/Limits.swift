/// The limits of connections and requests. Sizes are in bytes.
package struct Limits: Sendable {
  /// The maximum size of a body. Larger ones are answered 413, before the upload if Content-Length announces the size.
  package var body = 1 << 20
  /// The maximum memory of all bodies being received, without the first 16 KiB of each. Beyond it requests are answered 503.
  package var bodies = 64 << 20
  /// The maximum length of a request target. Longer ones are answered 414.
  package var target = 8 << 10
  /// The memory per connection for the head, its parsed fields and the head of the response. Larger heads are answered 431.
  package var memoryPerConnection = 64 << 10
  /// The maximum number of open connections, divided evenly among the threads. Further ones wait in the listening socket's queue, and are answered
  /// 503 after `fullPatience`.
  package var connections = 4096
  /// The maximum number of connections that are streams. Further streams are answered 503. An eighth is reserved for requests.
  package var streams: Int { connections - connections / 8 }
  /// The time for which new connections wait at the limit before they are rejected.
  package var fullPatience = Duration.seconds(1)
  /// The maximum number of connections per address. Further ones are answered 429. 0 means no limit, for a service behind a proxy.
  package var connectionsPerAddress = 256
  /// Whether an address is exempt from that limit, as proxies are, which have many clients.
  package var isExempt: @Sendable (String) -> Bool = { _ in false }
  /// The maximum silence of a connection during and between requests, rounded up to whole seconds.
  package var idle = Duration.seconds(30)
  /// The maximum time from the first to the last byte of a head.
  package var head = Duration.seconds(10)
  /// The maximum time from the first to the last byte of a body.
  package var upload = Duration.seconds(30)
  /// The maximum time for a client to read a response.
  package var download = Duration.seconds(30)
  /// The maximum time for which `Server.stop()` waits for responses to be sent.
  package var grace = Duration.seconds(5)
  /// The maximum time for which `Server.stop()` waits for a response of which the client reads nothing.
  package var stall = Duration.milliseconds(500)
  /// The value of `Retry-After` during the stop, in seconds.
  package var retryAfter = 5

  /// Creates the default limits.
  package init() {}
}
