import CairnCore
import CairnJournal

// Runs a request on a session. The writer stores the result; a plan does not.
extension Staged {
  /// Throws `conflict` if the session's revision is not among the expected ones. `nil` accepts any revision.
  func check(_ matching: [RevisionTag]?) throws(StoreFault) {
    let current = session.tag
    if let matching, !matching.contains(where: { $0.matches(current) }) { throw .conflict(current: current) }
  }

  /// The result for a message that was processed before. Changes nothing.
  func repeated() -> Posted { unchanged("duplicate") }

  /// Runs all commands, or none if one is refused. Throws `refused` with the index of the refused command.
  func post(_ commands: [Command], from origin: EntryOrigin, _ parts: StoreParts, meter: inout Meter) throws(StoreFault) -> Posted {
    self.origin = origin
    defer { self.origin = EntryOrigin() }
    let revision = session.state.revision
    // A refused command has no effect, so a single command needs no rollback.
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
