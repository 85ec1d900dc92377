import CairnCore
import CairnJournal

// Creates sessions that were requested with an idempotency key.
extension Writer {
  /// Creates a session under a key, and returns the response to the creation. If the session was created before, returns the stored response.
  func create(_ creation: KeyedCreation, in batch: inout Batch) throws(StoreFault) -> GivenAnswer {
    let id = creation.new.id
    if let kept = try keptCreation(id, in: batch) {
      do throws(StoreFault) {
        return try answers.replay(kept, for: creation.print)
      } catch {
        // The deletion of a session also removes the content of this response. In that case the fault is `unknownSession`.
        if case .responseForgotten = error, batch[id] == nil, try isNew(id) { throw .unknownSession }
        throw error
      }
    }
    // The session exists or is deleted in this batch, but the response to its creation is no longer stored.
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
