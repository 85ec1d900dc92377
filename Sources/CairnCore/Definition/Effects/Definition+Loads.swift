extension Definition {
  /// The operations of all handlers.
  private var handled: [Operation] { flows.values.flatMap { $0.handle.values }.flatMap { $0.branches }.flatMap { $0.operations } }

  /// All nodes that the definition may create.
  var contributions: [Contribution] {
    [root] + (flows.values.flatMap { $0.arrivals } + handled.flatMap { $0.makes }).map { $0.contribution }
  }

  /// All loads that the definition may start.
  package var loads: [Load] { contributions.compactMap { $0.load } + handled.flatMap { $0.parts.loads } }

  /// All timers that the definition may start.
  package var timers: [Timer] {
    contributions.flatMap { $0.after } + handled.flatMap { $0.parts.timers } + flows.values.flatMap { $0.idle }
  }

  /// All messages that the definition may send.
  package var submissions: [Submission] {
    handled.compactMap { if case .submit(let submission) = $0 { submission } else { nil } }
  }
}
