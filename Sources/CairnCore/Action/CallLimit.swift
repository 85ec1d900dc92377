/// How long a call that leaves the machine may take: the service and scenarios end it alike.
package enum CallLimit {
  /// Milliseconds.
  package static let time = 10_000
}
