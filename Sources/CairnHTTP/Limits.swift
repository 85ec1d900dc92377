/// What one client may take. Sizes in bytes.
package struct Limits: Sendable {
  /// The longest body; above it 413, before the upload when Content-Length tells.
  package var body = 1 << 20
  /// The longest request target; above it 414.
  package var target = 8 << 10
  /// Memory a connection: head and read buffer. A head that does not fit is answered 431 by the library itself.
  package var memoryPerConnection = 64 << 10
  /// Open connections, shared evenly by the threads; at the limit new ones wait in the listening socket's queue.
  package var connections = 4096
  /// Open connections from one address; one more is reset. 0 means no limit, for a place behind a proxy.
  package var connectionsPerAddress = 256
  /// Addresses that this does not hold for: those of proxies, behind which there are many clients.
  package var isExempt: @Sendable (String) -> Bool = { _ in false }
  /// How long a connection may be silent, in or between requests; rounded up to whole seconds.
  package var idle = Duration.seconds(30)
  /// How long a request line and its headers may take in all, however steadily they drip.
  package var head = Duration.seconds(30)
  /// How long a body may take in all.
  package var upload = Duration.seconds(60)
  /// How long a response may take to be read in all.
  package var download = Duration.seconds(60)
  /// How long `Server.stop()` waits for responses to be sent.
  package var grace = Duration.seconds(5)
  /// What `Retry-After` says while stopping, in seconds.
  package var retryAfter = 5

  /// The defaults.
  package init() {}
}
