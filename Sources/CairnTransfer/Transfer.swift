/// An exchange in progress. It goes on when this value is released.
package struct Transfer: Sendable {
  private let stop: @Sendable () -> Void

  init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

  /// Ends the exchange as `cancelled`; does nothing if it has ended. Any thread; it does not wait.
  package func cancel() { stop() }
}
