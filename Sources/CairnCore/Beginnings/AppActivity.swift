/// Handles the client's reports about its app.
enum AppActivity {
  /// Sets the app's activity. The fact `away` counts from the time when the app left the foreground and is set when it returns; rules on both facts
  /// are evaluated as after any write. An unchanged activity has no effect, nor has one in an app that uses neither fact.
  static func tell(_ run: inout Run, _ activity: Action.Activity) throws(Refusal) {
    let (old, new) = (run.state.facts[FactDefinition.appState], Value.string(activity.rawValue))
    guard run.program.tellsAppState, old != new else { return }
    if activity == .foreground {
      let left = run.state.leftForeground ?? run.stamp.time
      run.state.leftForeground = nil
      try Facts.write(&run, .integer(max(0, run.stamp.time.subtractingSaturated(left))), to: FactDefinition.away)
    } else if run.state.leftForeground == nil {
      run.state.leftForeground = run.stamp.time
      // The app has left the foreground. The duration is not known yet.
      run.state.facts[FactDefinition.away] = 0
    }
    try Facts.write(&run, new, to: FactDefinition.appState)
  }
}
