import CairnCore
package import CairnJournal

// Forgets the history of a session. `reply` is called once, on the writer's thread, a reader's thread or the caller's thread.
extension Store {
  /// Forgets the history of a session before a revision; `nil` means the newest. `matching` contains the expected revisions; `nil` accepts any. Replies with
  /// the first revision that can still be read. A reader thread reads the past state, so that the writer need not read the journal.
  package func forget(
    _ session: String, before revision: Int? = nil, matching: [RevisionTag]? = nil,
    reply: @escaping @Sendable (Result<Int, StoreFault>) -> Void
  ) {
    forgetting(session, before: revision) { result in
      switch result {
      case .failure(let fault): reply(.failure(fault))
      case .success(let part):
        self.parts.mailbox.send(RequestJob.forgetting(part, of: session, matching: matching, reply))
      }
    }
  }

  /// Reads the state with which the remaining history will begin. The caller passes the result to a post under an idempotency key (`Post.Work.forgetting`).
  package func forgetting(
    _ session: String, before revision: Int?, reply: @escaping @Sendable (Result<Forgetting, StoreFault>) -> Void
  ) {
    guard let revision else { return reply(.success(.all)) }
    let read = SingleRead { parts throws(StoreFault) in
      do throws(StoreFault) {
        return Forgetting.before(try parts.past(of: try parts.existing(session), at: revision))
      } catch {
        // The part is already forgotten, for example by an earlier attempt of the same request.
        guard case .historyGone(let first) = error else { throw error }
        return .nothing(first: first)
      }
    }
    if let fault = readers.offer(read, .past, session, parts, reply) { reply(.failure(fault)) }
  }
}

extension RequestJob<Int> {
  /// Creates the command that forgets a part of a session's history, and replies with the first revision that can be read.
  static func forgetting(
    _ part: Forgetting, of session: String, matching: [RevisionTag]? = nil, _ reply: @escaping Reply<Int>
  ) -> RequestJob {
    RequestJob(session, reply) { writer, batch throws(StoreFault) in try writer.forget(part, session, matching, in: &batch) }
  }
}

extension Writer {
  fileprivate func forget(_ part: Forgetting, _ id: String, _ matching: [RevisionTag]?, in batch: inout Batch) throws(StoreFault) -> Int {
    guard let staged = try parts.find(id, in: &batch) else { throw .unknownSession }
    return try forget(part, staged, matching, in: &batch)
  }

  /// Forgets a part of a session's history. Returns the first revision that can be read.
  func forget(_ part: Forgetting, _ staged: Staged, _ matching: [RevisionTag]?, in batch: inout Batch) throws(StoreFault) -> Int {
    try staged.check(matching)
    switch part {
    case .all: staged.forget()
    case .before(let past): staged.forget(before: past)
    case .nothing(let first): return first
    }
    batch.keep(staged)
    return max(1, staged.session.beginning)
  }
}
