package import CairnCore

extension State {
  /// The time at which the next effect is due, in milliseconds since 1970; 0 if it is due immediately. `nil` if no effect depends on the machine's clock.
  package var wakeTime: Int? {
    let upcoming = manualRequests ? upcoming.filter { !$0.isRequest } : upcoming
    guard !upcoming.isEmpty else { return nil }
    guard let manualTime else { return upcoming.map { $0.isExchange ? 0 : $0.due }.min() }
    // With a manual clock, effects run when the clock is advanced. A call that was being sent is repeated immediately.
    return upcoming.contains { $0.isExchange || ($0.isRequest && $0.due <= manualTime) } ? 0 : nil
  }
}
