package import CairnCore
package import CairnJournal

extension Store {
  /// Computes the result that a post would have, without storing or starting anything. The result is based on the newest committed session.
  /// The call is queued with the reads that may take long, so it never waits for the writer. `isWanted` is called on any thread.
  package func plan(
    _ commands: [Command], madeFor made: ClientDefinition? = nil, to session: String, matching: [RevisionTag]? = nil,
    message: Fingerprint? = nil,
    while isWanted: @escaping @Sendable () -> Bool = { true }, reply: @escaping @Sendable (Result<Planned, StoreFault>) -> Void
  ) {
    let plan = SingleRead { parts throws(StoreFault) in
      let session = try parts.existing(session)
      let isRepeated = if let message { try parts.kept(.request(message), of: session.id, in: parts.answers) != nil } else { false }
      return parts.planned(commands, made, session, matching, isRepeated: isRepeated)
    }
    if let fault = readers.offer(plan, .past, session, parts, while: isWanted, reply) { reply(.failure(fault)) }
  }
}

extension StoreParts {
  /// Runs the commands like the writer, but on a private copy of the session.
  fileprivate func planned(
    _ commands: [Command], _ made: ClientDefinition?, _ session: Session, _ matching: [RevisionTag]?, isRepeated: Bool
  ) -> Planned {
    let result = Result { () throws(StoreFault) in
      let staged = Staged(session, hashKey)
      if isRepeated { return staged.repeated() }
      try staged.authorize(commands, from: made)
      try staged.check(matching)
      var meter = Meter(limits.bounds)
      let commands = try staged.opened(try staged.mapped(commands, from: made, self), self, meter: &meter)
      return try staged.post(commands, from: EntryOrigin(), self, meter: &meter)
    }
    let only = commands.count == 1 ? commands.first : nil
    return Planned(session: session, result: result, opening: only.flatMap { opening(of: $0, session) })
  }

  private func opening(of command: Command, _ session: Session) -> Opening? {
    let reducer = session.definition.reducer
    // Unreported: the error is ignored here. A refused command opens no URL, and the plan contains the refusal.
    guard let action = try? reducer.seal(command, for: session.state).action else { return nil }
    return reducer.opening(of: action, in: session.state, stamp: Stamp(time: session.state.manualTime ?? clock.now(), nonce: ""))
  }
}
