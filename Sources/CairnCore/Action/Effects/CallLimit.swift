/// The limits of a request to an upstream. The service and scenarios apply the same ones.
package enum CallLimit {
  /// The default timeout in milliseconds. A definition can declare another one.
  package static let time: WideInt = 10_000
  /// Maximum size of a response in bytes.
  package static let size = 1 << 20
  /// The failure reason of a request that timed out.
  package static let timeout = "timeout"
}
