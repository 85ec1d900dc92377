import CairnCore

/// Identifies an effect of a session. Keys are not reused, except after a restore of the database.
struct EffectKey: Hashable, Sendable {
  var session: String
  var effect: Effect.ID

  /// The key for a session whose effects have not been read yet. Its effect is 0, because ids of effects begin at 1.
  static func whole(_ session: String) -> EffectKey { EffectKey(session: session, effect: 0) }
}
