import CairnCore
package import CairnJournal

// Ends single sessions.
extension Store {
  /// Deletes a session with all its data. `matching` contains the expected revisions; `nil` accepts any. Replies with `conflict` if none of them is current.
  package func delete(_ session: String, matching: [RevisionTag]? = nil, reply: @escaping @Sendable (Result<Void, StoreFault>) -> Void) {
    parts.mailbox.send(RequestJob.deletion(of: session, matching: matching, reply))
  }
}

extension RequestJob<Void> {
  /// Creates the command that deletes a session.
  static func deletion(of session: String, matching: [RevisionTag]? = nil, _ reply: @escaping Reply<Void>) -> RequestJob {
    RequestJob(session, reply) { writer, batch throws(StoreFault) in try writer.delete(session, matching, in: &batch) }
  }

  /// Creates the command that deletes a session if it has expired, and otherwise replies with `conflict`.
  static func expiry(of session: String, _ reply: @escaping Reply<Void>) -> RequestJob {
    RequestJob(session, reply) { writer, batch throws(StoreFault) in try writer.expire(session, in: &batch) }
  }
}

extension Writer {
  fileprivate func delete(_ id: String, _ matching: [RevisionTag]?, in batch: inout Batch) throws(StoreFault) {
    guard let staged = try parts.find(id, in: &batch) else { throw .unknownSession }
    try staged.check(matching)
    let messages = staged.session.state.effects.count { $0.isMessage }
    if messages > 0 { parts.log(.messagesDropped(session: id, messages: messages)) }
    staged.isGone = true
    batch.keep(staged)
  }

  /// Deletes a session, unless a client has used it since it was found to be expired. Throws `conflict` if the session has not expired.
  fileprivate func expire(_ id: String, in batch: inout Batch) throws(StoreFault) {
    guard let staged = try parts.find(id, in: &batch) else { throw .unknownSession }
    guard let end = staged.session.expiresAt(parts.limits.sessionTTL), end <= parts.clock.now() else {
      throw .conflict(current: staged.session.tag)
    }
    staged.isGone = true
    staged.isExpired = true
    batch.keep(staged)
  }
}
