import CairnCore

extension ProgressLine {
  /// Shows the progress of a rollout from a response of the service. Returns whether sessions are still being moved.
  func showRollout(_ rollout: Value) -> Bool {
    let state = rollout["state"]?.word ?? ""
    if let progress = rollout["progress"], let total = Self.number(progress["total"]), let left = Self.number(progress["left"]) {
      let done = max(0, total - left)
      let waiting = Self.number(rollout["waiting"]).flatMap { $0 > 0 ? ", \($0) waiting for the condition in when" : nil } ?? ""
      let end = progress["expectedEnd"].flatMap(\.word).map { ", expected end at \($0)" } ?? ""
      show("\(state): \(done) of \(CountText.of(total, "session")) visited\(waiting)\(end)", done: done, of: total)
    } else {
      show("\(state): no session has been visited yet")
    }
    return ["running", "reverting"].contains(state)
  }

  private static func number(_ value: Value?) -> Int? {
    if case .integer(let number)? = value { Int(number) } else { nil }
  }
}
