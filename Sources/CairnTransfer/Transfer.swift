/// An exchange in progress. Releasing this value does not end the exchange.
package struct Transfer: Sendable {
  private let stop: @Sendable () -> Void

  init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

  /// Ends the exchange as `cancelled`, without waiting. Does nothing if the exchange has ended. Thread-safe.
  package func cancel() { stop() }
}
