/// Handles the client's reports about its app.
enum AppActivity {
  /// Writes the fact `appState` and, when the app returns to the foreground, the fact `away`: the milliseconds since it left. Rules on both facts are evaluated
  /// as after any write. Does nothing if the state of the app is unchanged, or if the definition uses neither fact.
  static func set(_ run: inout Run, _ activity: Action.Activity) throws(Refusal) {
    let (old, new) = (run.state.facts[FactDefinition.appState], Value.string(activity.rawValue))
    guard run.program.tellsAppState, old != new else { return }
    if activity == .foreground {
      let left = run.state.leftForeground ?? run.stamp.time
      run.state.leftForeground = nil
      try Facts.write(&run, .integer(max(0, run.stamp.time.subtractingSaturated(left))), toSession: FactDefinition.away)
    } else if run.state.leftForeground == nil {
      run.state.leftForeground = run.stamp.time
      // The app has left the foreground, and the duration is not known yet.
      run.state.facts[FactDefinition.away] = 0
    }
    try Facts.write(&run, new, toSession: FactDefinition.appState)
  }
}
