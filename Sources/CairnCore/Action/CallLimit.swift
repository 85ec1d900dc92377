/// The limits of an outgoing call, in the service and in scenarios.
package enum CallLimit {
  /// The maximum duration in milliseconds.
  package static let time: WideInt = 10_000
  /// The maximum size of a response in bytes.
  package static let size = 1 << 20
  /// The reason of a call that took too long.
  package static let timeout = "timeout"
}
