/// Handles the client's reports about its app.
enum AppActivity {
  /// The app is somewhere else now. `away` counts from when it left the foreground, and is written when it is back there; rules on both
  /// are judged as after any write. That it is where it was is no news, and an app that asks for neither is not told.
  static func tell(_ run: inout Run, _ activity: Action.Activity) throws(Refusal) {
    let (old, new) = (run.state.facts[FactDefinition.appState], Value.string(activity.rawValue))
    guard run.program.tellsAppState, old != new else { return }
    if activity == .foreground {
      let left = run.state.leftForeground ?? run.stamp.time
      run.state.leftForeground = nil
      try Facts.write(&run, .integer(max(0, run.stamp.time.subtractingSaturated(left))), to: FactDefinition.away)
    } else if run.state.leftForeground == nil {
      run.state.leftForeground = run.stamp.time
      // It has left the foreground, and the duration is not known yet.
      run.state.facts[FactDefinition.away] = 0
    }
    try Facts.write(&run, new, to: FactDefinition.appState)
  }
}
