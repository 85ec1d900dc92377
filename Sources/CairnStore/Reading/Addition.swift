/// What sessions, entries and responses contain in addition, for clients that show an action before it is answered. The raw value is the preference that
/// asks for it.
package enum Addition: String, Sendable {
  /// What the accepted actions would do.
  case predictions = "predict"
  /// What an engine in the client needs.
  case replica
}
