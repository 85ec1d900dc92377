/// How long a call that leaves the machine may take: the service and scenarios end it alike.
package enum CallLimit {
  /// Milliseconds.
  package static let time: WideInt = 10_000
  /// Bytes of an answer.
  package static let size = 1 << 20
  /// The reason of a call that took longer.
  package static let timeout = "timeout"
}
