import CairnCore
import CairnJournal

// Creates sessions that were requested with an idempotency key.
extension Writer {
  /// Creates a session under a key unless it was created before.
  func create(_ creation: KeyedCreation, in batch: inout Batch) throws(StoreFault) -> GivenAnswer {
    let id = creation.new.id
    if let kept = try keptCreation(id, in: batch) {
      do throws(StoreFault) {
        return try answers.replay(kept, for: creation.print)
      } catch {
        // The response is also forgotten if the session was deleted. The fault is then that the session does not exist.
        if case .responseForgotten = error, batch[id] == nil, try isNew(id) { throw .unknownSession }
        throw error
      }
    }
    // The session exists or was deleted, but the stored response to its creation has expired.
    guard batch[id] == nil, try isNew(id) else { throw .keyReused }
    let created: Created
    do throws(StoreFault) {
      created = try create(creation.new, in: &batch)
    } catch {
      if isLeftToCommit(id), let kept = try parts.kept(.creation, of: id) { return try answers.replay(kept, for: creation.print) }
      throw error
    }
    guard let staged = batch[id] else { throw .unknownSession }
    return answers.keep(creation.render(created), .creation, creation.print, of: staged, in: &batch)
  }

  private func keptCreation(_ id: String, in batch: Batch) throws(StoreFault) -> KeptAnswer? {
    if let kept = batch[id]?.answer(.creation) { return kept }
    if isLeftToCommit(id) { return nil }
    return try parts.kept(.creation, of: id)
  }
}
