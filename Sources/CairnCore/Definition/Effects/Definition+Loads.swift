extension Definition {
  /// All loads that the definition may start.
  package var loads: [Load] {
    let parts = flows.values.flatMap { $0.handle.values }.flatMap { $0.branches }.flatMap { $0.operations }.map { $0.parts }
    let made = [root] + flows.values.flatMap { $0.arrivals }.map { $0.contribution } + parts.flatMap { $0.makes }.map { $0.contribution }
    return made.compactMap { $0.load } + parts.flatMap { $0.loads }
  }

  /// All messages that the definition may send.
  package var submissions: [Submission] {
    flows.values.flatMap { $0.handle.values }.flatMap { $0.branches }.flatMap { $0.operations }.compactMap {
      if case .submit(let submission) = $0 { submission } else { nil }
    }
  }
}
