package import CairnCore

extension State {
  /// When its effects are due, milliseconds since 1970, 0 for at once; `nil`: nothing is due by the machine's clock.
  package var wakeTime: Int? {
    let upcoming = manualRequests ? upcoming.filter { !$0.isRequest } : upcoming
    guard !upcoming.isEmpty else { return nil }
    guard let manualTime else { return upcoming.map { $0.isExchange ? 0 : $0.due }.min() }
    // Effects of a manual clock are looked at when it is advanced; a call that was sent runs again.
    return upcoming.contains { $0.isExchange || ($0.isRequest && $0.due <= manualTime) } ? 0 : nil
  }
}
