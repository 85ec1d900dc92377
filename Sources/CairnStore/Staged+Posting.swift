import CairnCore

// The effect of a request on a session: one function for the writer, which keeps it, and for a plan, which does not.
extension Staged {
  /// Throws if the session is at none of the revisions that are expected; nil: any.
  func check(_ matching: [RevisionTag]?) throws(StoreFault) {
    let current = session.tag
    if let matching, !matching.contains(where: { $0.matches(current) }) { throw .conflict(current: current) }
  }

  /// Why nothing more can be added to the session's journal; nil: something can.
  func fullness(_ parts: StoreParts) -> Refusal? {
    if session.state.revision >= parts.limits.entries {
      return Refusal(.journalFull, "the session has \(session.state.revision) revisions, which is the most")
    }
    guard let bytes = parts.journal.bytes(of: session.id), bytes >= parts.limits.journal else { return nil }
    return Refusal(.journalFull, "the session's history has \(bytes) bytes; \(parts.limits.journal) are the most")
  }

  /// The answer to what came by a message that was taken before: nothing is done.
  func repeated() -> Posted {
    let transition = Transition(outcome: .unchanged, reason: "duplicate")
    return Posted(session: session, performed: [Performed(revision: session.state.revision, transition: transition)])
  }

  /// Runs commands, all or none.
  func post(_ commands: [Command], from origin: EntryOrigin, _ parts: StoreParts, meter: inout Meter) throws(StoreFault) -> Posted {
    self.origin = origin
    defer { self.origin = EntryOrigin() }
    let revision = session.state.revision
    if let full = fullness(parts) { throw .refused(full, index: 0, revision: revision) }
    // One command that is refused leaves no trace by itself.
    let before = commands.count > 1 ? progress : nil
    var performed: [Performed] = []
    performed.reserveCapacity(commands.count)
    for (index, command) in commands.enumerated() {
      do {
        performed.append(try perform(command, now: parts.clock.now(), nonce: parts.nonce(), meter: &meter))
      } catch {
        if let before { progress = before }
        throw .refused(error, index: index, revision: revision)
      }
    }
    return Posted(session: session, performed: performed)
  }
}
