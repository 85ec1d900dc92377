extension Effect {
  /// The end of the held link's time, among the effects: an id that no effect has.
  public static let heldLink = 0
}

extension State {
  /// What a clock has to look at: the effects, and the end of the held link's time, which is an effect in all but that it stands in no
  /// state: it follows from the link.
  public var upcoming: [Effect] {
    guard let link = pendingLink else { return effects }
    let end = Effect(id: Effect.heldLink, owner: nil, start: link.until, work: .value(.null, delay: 0, then: nil, otherwise: nil))
    return [end] + effects
  }
}
