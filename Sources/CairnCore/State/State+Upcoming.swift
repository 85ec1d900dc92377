extension PendingLink {
  /// The end of its time, among the effects.
  var end: Effect { Effect(id: Effect.end(of: id), owner: nil, start: until, work: .value(.null, delay: 0, then: nil, otherwise: nil)) }
}

extension Effect {
  /// The end of a held link's time: an id that no effect has.
  public static func end(of link: LinkID) -> Effect.ID { -link.number }

  /// Whether one comes before another that is due at the same time: links first, each in the order of their coming.
  public static func comes(_ one: Effect.ID, before other: Effect.ID) -> Bool {
    one > 0 && other > 0 ? one < other : one > 0 ? false : other > 0 || one > other
  }
}

extension State {
  /// The events that a clock has to look at: the effects, and the deadlines of held links. The latter are effects too, except that no state
  /// holds them: each follows from its link.
  public var upcoming: [Effect] { pendingLinks.isEmpty ? effects : pendingLinks.map { $0.end } + effects }
}
