/// What sessions, entries and responses contain in addition, for clients that show an action before it is answered. The raw value is the preference that
/// asks for it.
package enum Addition: String, Sendable {
  /// Predictions of the accepted actions.
  case predictions = "predict"
  /// The state, or the difference of an entry, for an engine in the client.
  case replica
}
