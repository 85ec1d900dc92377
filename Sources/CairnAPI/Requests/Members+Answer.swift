import CairnCore

extension Members {
  /// The end of a request that nobody sends: one of `loaded`, `failed`, `exchanged` and `exchangeFailed`, with `effect` where not the
  /// oldest is meant. nil beside `faults`.
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
