import CairnCore

// Lists the parts of an app that a walk has not explored. They are reported, but are not findings.
extension Walk {
  /// The limit that ended the walk early; `nil` if the walk was complete.
  var ending: String? {
    switch end {
    case nil: nil
    case .states: CountText.of(app.limits.states, "state")
    case .time: DurationText.written(app.limits.time ?? 0)
    }
  }

  /// A line for each limit that was reached, for each part that was not reached within the limits, and for each refused start.
  var unknown: [String] {
    var lines: [String] = []
    if let ending {
      let waiting = ground.traits.filter { !$0.contains(.isExpanded) && !$0.contains(.isEdge) }.count
      lines.append(
        "the exploration stopped at the limit of \(ending); \(CountText.of(waiting, "state")) \(waiting == 1 ? "was" : "were") not explored"
      )
    }
    for limit in Beyond.allCases {
      guard let count = beyond[limit], count > 0 else { continue }
      let verb = count == 1 ? "was" : "were"
      lines.append("\(CountText.of(count, "state")) with more than \(limit.description(app.limits)) \(verb) not explored")
    }
    if !isCertain, app.migrator == nil {
      lines += app.doubts.map { "not every combination of values was tried: \($0.text)" }
      for finding in missing(Player(app.reducer)) {
        lines.append(
          isSettled
            ? "with the values that were tried, \(finding.text); a scenario that reaches it would disprove this"
            : "within the limits of the exploration, \(finding.text)")
      }
    }
    for (start, detail) in refusedStarts {
      lines.append("a session cannot start\(app.starts[start].words.map { " with \($0)" } ?? ""): \(detail)")
    }
    return lines
  }
}
