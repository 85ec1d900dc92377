/// The limits of one client. Sizes in bytes.
package struct Limits: Sendable {
  /// The longest body; above it 413, before the upload when Content-Length tells.
  package var body = 1 << 20
  /// The memory of all bodies in progress beyond their first 16 KiB each; above it 503.
  package var bodies = 64 << 20
  /// The longest request target; above it 414.
  package var target = 8 << 10
  /// Memory per connection: head, its fields and the head of the response. A longer head is answered 431.
  package var memoryPerConnection = 64 << 10
  /// Open connections, shared evenly by the threads. At the limit new ones wait in the listening socket's queue, and when it has lasted
  /// `fullPatience` they are answered 503.
  package var connections = 4096
  /// How many of them may be streams, which stay: one more is answered 503. An eighth is left for requests.
  package var streams: Int { connections - connections / 8 }
  /// How long new connections wait at the limit before they are refused.
  package var fullPatience = Duration.seconds(1)
  /// Open connections from one address; one more is answered 429. 0 means no limit, for a place behind a proxy.
  package var connectionsPerAddress = 256
  /// Addresses that this does not hold for: those of proxies, behind which there are many clients.
  package var isExempt: @Sendable (String) -> Bool = { _ in false }
  /// How long a connection may be silent, in or between requests; rounded up to whole seconds.
  package var idle = Duration.seconds(30)
  /// How long a request line and its headers may take in all, however steadily they drip.
  package var head = Duration.seconds(10)
  /// How long a body may take in all.
  package var upload = Duration.seconds(30)
  /// How long a response may take to be read in all.
  package var download = Duration.seconds(30)
  /// How long `Server.stop()` waits for responses to be sent.
  package var grace = Duration.seconds(5)
  /// How long it waits for one that does not come further.
  package var stall = Duration.milliseconds(500)
  /// The value of `Retry-After` during the stop, in seconds.
  package var retryAfter = 5

  /// The defaults.
  package init() {}
}
