/// Handles the client's reports about its app.
enum AppActivity {
  /// Writes the fact `appState` and, when the app returns to the foreground, the fact `away`: the milliseconds since the app left the
  /// foreground. Rules on both facts are evaluated as after any write. Does nothing if the state of the app is unchanged, or if the
  /// definition uses neither fact.
  static func set(_ run: inout Run, _ activity: Action.Activity) throws(Refusal) {
    let (old, new) = (run.state.facts[FactDefinition.appState], Value.string(activity.rawValue))
    guard run.program.tellsAppState, old != new else { return }
    if activity == .foreground {
      let time = timeAway(run.state, run.stamp, isPredicted: run.program.withheld != nil)
      run.state.leftForeground = nil
      run.state.leftForegroundByClient = nil
      try Facts.write(&run, .integer(time), toSession: FactDefinition.away)
    } else if run.state.leftForeground == nil {
      run.state.leftForeground = run.stamp.time
      run.state.leftForegroundByClient = run.stamp.clientTime?.clock
      // The app has left the foreground, and the duration is not known yet.
      run.state.facts[FactDefinition.away] = 0
    }
    try Facts.write(&run, new, toSession: FactDefinition.appState)
  }

  /// The milliseconds since the app left the foreground: the time between the arrivals of the two reports or, if it is longer, the time
  /// between them by the client's clock. Reports that waited for the network arrive together, so only the client's clock has measured the
  /// time between them. A wrong clock of the client can only lengthen the result: an app that locks after some time locks sooner, never
  /// later.
  private static func timeAway(_ state: borrowing State, _ stamp: Stamp, isPredicted: Bool) -> WideInt {
    var byClient: WideInt?
    if let left = state.leftForegroundByClient, let clock = stamp.clientTime?.clock { byClient = max(0, clock.subtractingSaturated(left)) }
    // A client cannot compare its clock with the service's. It uses only its own clock, so the prediction never exceeds the service's result.
    if isPredicted, state.manualTime == nil { return byClient ?? 0 }
    let arrived = max(0, stamp.time.subtractingSaturated(state.leftForeground ?? stamp.time))
    return max(arrived, byClient ?? 0)
  }
}
