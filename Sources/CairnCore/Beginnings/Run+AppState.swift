// What a client tells of its app.
extension Run {
  /// The app is somewhere else now. `away` counts from when it left the foreground, and is written when it is back there; rules on both
  /// are judged as after any write. That it is where it was is no news, and an app that asks for neither is not told.
  mutating func tell(_ activity: Action.Activity) throws(Refusal) {
    let (old, new) = (state.facts[FactDefinition.appState], Value.string(activity.rawValue))
    guard program.tellsAppState, old != new else { return }
    if activity == .foreground {
      let left = state.leftForeground ?? stamp.time
      state.leftForeground = nil
      try write(.integer(max(0, stamp.time.subtractingSaturated(left))), to: FactDefinition.away)
    } else if state.leftForeground == nil {
      state.leftForeground = stamp.time
      // It is away, and nobody knows yet for how long.
      state.facts[FactDefinition.away] = 0
    }
    try write(new, to: FactDefinition.appState)
  }
}
