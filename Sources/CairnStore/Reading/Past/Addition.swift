/// The additional content of sessions, entries and responses for clients that predict actions. The raw value is the preference that requests it.
package enum Addition: String, Sendable {
  /// Predictions of the accepted actions.
  case predictions = "predict"
  /// The state, or the difference of an entry, for an engine in the client.
  case replica
}
