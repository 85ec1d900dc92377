import CairnCore

/// An effect of a session; never used twice.
struct EffectKey: Hashable, Sendable {
  var session: String
  var effect: Effect.ID

  /// A session as a whole, whose effects are not known yet; ids of effects begin at 1.
  static func whole(_ session: String) -> EffectKey { EffectKey(session: session, effect: 0) }
}
