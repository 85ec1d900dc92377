/// The limits of a request to an upstream. The service and the scenarios apply the same limits.
package enum CallLimit {
  /// The default timeout in milliseconds. A definition can declare another timeout.
  package static let time: WideInt = 10_000
  /// Maximum size of a response in bytes.
  package static let size = 1 << 20
  /// The failure reason of a request that timed out.
  package static let timeout = "timeout"
}
