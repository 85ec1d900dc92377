extension PendingLink {
  /// The end of the link's holding time as an effect.
  var end: Effect { Effect(id: Effect.end(of: id), owner: nil, start: until, work: .value(.null, delay: 0, then: nil, otherwise: nil)) }
}

extension Effect {
  /// The id of the effect that ends a held link. It is negative, so no other effect has it.
  public static func end(of link: LinkID) -> Effect.ID { -link.number }

  /// Whether one effect precedes another that is due at the same time. The ends of links precede other effects; within each kind, the order of creation
  /// applies.
  public static func comes(_ one: Effect.ID, before other: Effect.ID) -> Bool {
    one > 0 && other > 0 ? one < other : one > 0 ? false : other > 0 || one > other
  }
}

extension State {
  /// The effects that depend on a clock: the running effects, and the ends of held links in the form of effects. The latter are derived from the links and not
  /// stored.
  public var upcoming: [Effect] { pendingLinks.isEmpty ? effects : pendingLinks.map { $0.end } + effects }
}
