extension PendingLink {
  /// The expiry of the held link, represented as an effect.
  var end: Effect { Effect(id: Effect.end(of: id), owner: nil, start: until, work: .value(.null, delay: 0, then: nil, otherwise: nil)) }
}

extension Effect {
  /// The id of a held link's expiry. It is negative and therefore different from any effect's id.
  public static func end(of link: LinkID) -> Effect.ID { -link.number }

  /// Whether one of two effects that are due at the same time comes first. Expiries of links come before effects, and both are in the order
  /// of creation.
  public static func comes(_ one: Effect.ID, before other: Effect.ID) -> Bool {
    one > 0 && other > 0 ? one < other : one > 0 ? false : other > 0 || one > other
  }
}

extension State {
  /// The effects for which a clock must wait, including the expiries of held links. The state does not store the latter, because they
  /// follow from the links.
  public var upcoming: [Effect] { pendingLinks.isEmpty ? effects : pendingLinks.map { $0.end } + effects }
}
