import CairnCore

extension Members {
  /// Reads the end of a request that the service does not send: one of `loaded`, `failed`, `exchanged` and `exchangeFailed`, with `effect`
  /// if it is not the oldest. Returns `nil` if it has recorded faults.
  mutating func answer() -> RequestAnswer? {
    let effect = read(ActionMembers.effect)
    let ends: [RequestAnswer.End?] = [
      read(ActionMembers.loaded).map { .loaded($0) },
      read(ActionMembers.failed).map { .failed($0) },
      line(ActionMembers.exchanged).map { .exchanged(token: $0) },
      read(ActionMembers.exchangeFailed).map { .exchangeFailed($0) },
    ]
    let given = ends.compactMap(\.self)
    if given.count == 1 { return RequestAnswer(given[0], of: effect) }
    if faults.isEmpty { fault("needs one of loaded (a value), failed (a reason), exchanged (a token) and exchangeFailed (a reason)") }
    return nil
  }
}
