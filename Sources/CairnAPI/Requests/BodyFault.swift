package import CairnCore

/// Why a body was not taken. Its texts are for the client.
package enum BodyFault: Error, Hashable, Sendable {
  /// Not UTF-8, or not JSON.
  case notJSON(String)
  /// JSON, but of a shape that this endpoint cannot mean.
  case wrongShape(String)
  /// The right shape with wrong members; everything that is wrong, by JSON Pointer from the body's root.
  case invalid([Refusal.Fault])
}
