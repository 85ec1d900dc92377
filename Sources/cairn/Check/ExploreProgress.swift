import CairnCore

extension ProgressLine {
  /// Shows the progress of an exploration: the numbers of states and transitions so far, and of known states that are not explored yet.
  func showExploration(_ states: Int, _ transitions: Int, _ waiting: Int) {
    let counts = "\(CountText.of(states, "state")), \(CountText.of(transitions, "move"))"
    show("\(counts), \(transitions / seconds) per second, \(CountText.of(waiting, "state")) left")
  }
}
